import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import type { LoadedPolicy } from '../../policies/check/policy/load-policy.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { Origin } from '../../policies/engine/stack-index.js';
import type { PackRequest, PackResults } from '../../policies/run-packs.js';
import type { RuleDescription } from '../../policies/packs/protocol.js';
import { rules as catalogue } from '../../policies/rules/index.js';
import { packFailed } from '../../policies/rules/policy-rules.js';
import { terraformResource } from '../../policies/sources/plan/terraform-resource.js';
import type { Construct } from '../internal/cdktf.js';
import type { RuleRunOptions } from './changed-resource-findings.js';
import { declarationsInStack } from './declarations.js';
import { treeConfiguration, treeResources } from './tree-resources.js';
import { treeSettings } from './tree-settings.js';

/** The rules of a policy's packs, and their findings about a tree. */
interface PackFindings {
  readonly rules: readonly RuleDescription[];
  readonly findings: readonly Finding[];
}

/**
 * Runs the packs of a policy on a tree; findings point at the lines that created the constructs.
 * Packs run in processes of their own, which only asynchronous code can wait for, and synthesis is
 * synchronous: the program `run-packs.js` waits for them.
 *
 * @throws CAS7003 when a pack cannot be loaded.
 */
export function runPacksOnTree(
  scope: Construct,
  { config: { packs = [] }, file, locate }: LoadedPolicy,
  { ruleOptions, now }: Pick<RuleRunOptions, 'ruleOptions' | 'now'>,
): PackFindings {
  if (packs.length === 0 || file === undefined) return { rules: [], findings: [] };
  const declarations = declarationsInStack(scope);
  const plannedResources = treeResources(scope, () => true);
  const configuration = treeConfiguration(plannedResources);
  const results = runPacks({
    packs,
    folder: resolve(dirname(file)),
    reservedIds: catalogue.map(({ id }) => id),
    input: {
      settings: treeSettings(scope),
      declarations: declarations.map(({ section, name, value, unknownPaths }) => ({
        section,
        name,
        value,
        unknownPaths,
      })),
      resources: plannedResources.map((resource) => terraformResource(resource, configuration)),
      ruleOptions,
      now: now.toISOString(),
    },
  });
  const origins = new Map<string, Origin | undefined>([
    ...declarations.map(({ section, name, origin }) => [`${section} ${name}`, origin] as const),
    ...plannedResources.map(({ address, origin }) => [address, origin] as const),
  ]);
  const originOf = ({ terraformAddress = '', path = [] }: Finding): Origin | undefined =>
    origins.get(terraformAddress) ?? origins.get(path.slice(0, 2).join(' '));
  return {
    rules: results.flatMap(({ rules }) => rules),
    findings: results.flatMap(({ name, findings, failures }, index) => [
      ...findings.map((finding) => ({ ...finding, ...originOf(finding) })),
      ...failures.map((reason) =>
        makeFinding(
          packFailed,
          { messageId: 'failed', parameters: { given: name, reason } },
          { path: ['packs', name], origin: {} },
          () => locate(['packs', index]),
        ),
      ),
    ]),
  };
}

type PackResultList = Extract<PackResults, { packs: unknown }>['packs'];

/**
 * Results by request without its time, as each stack of an app may be checked several times in one
 * synthesis.
 */
const cachedResults = new Map<string, PackResultList>();

const maxOutputBytes = 256 * 1024 * 1024;

function runPacks(request: PackRequest): PackResultList {
  const key = JSON.stringify({ ...request, input: { ...request.input, now: undefined } });
  const cached = cachedResults.get(key);
  if (cached !== undefined) return cached;
  const output = execFileSync(process.execPath, [join(__dirname, '../../policies/run-packs.js')], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answer = JSON.parse(output) as PackResults;
  if ('error' in answer) throw new CastellanError(answer.error.code, answer.error.message);
  cachedResults.set(key, answer.packs);
  return answer.packs;
}
