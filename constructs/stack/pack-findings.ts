import { dirname, join, resolve } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { Finding } from '../../core/findings/finding.js';
import type { LoadedPolicy } from '../../policies/check/policy/load-policy.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { Origin } from '../../policies/engine/stack-index.js';
import type { PackMessage, PackRequest, PackResults } from '../../policies/run-packs.js';
import type { RuleDescription } from '../../policies/packs/messages.js';
import { rules as catalogue } from '../../policies/rules/index.js';
import { packFailed } from '../../policies/rules/policy-rules.js';
import { terraformResource } from '../../policies/sources/plan/terraform-resource.js';
import type { Construct } from '../internal/cdktf.js';
import type { ChangedFindingsOptions } from './changed-resources.js';
import { declarationsOf } from './declarations.js';
import { treeConfiguration, treeResources } from './tree-resources.js';

/** The rules of a policy's packs, and what they say of a tree. */
interface JudgedByPacks {
  readonly rules: readonly RuleDescription[];
  readonly findings: readonly Finding[];
}

/**
 * What the packs of a policy say of a tree, at the lines that created what they are about. Packs run
 * in processes of their own, which serve all stacks of the program.
 *
 * @throws CAS7003 when a pack cannot be loaded.
 */
export function runPacksOnTree(
  scope: Construct,
  { config: { packs = [] }, file, locate }: LoadedPolicy,
  { ruleOptions, now }: Pick<ChangedFindingsOptions, 'ruleOptions' | 'now'>,
): JudgedByPacks {
  if (packs.length === 0 || file === undefined) return { rules: [], findings: [] };
  const declarations = declarationsOf(scope);
  const planned = treeResources(scope, () => true);
  const configuration = treeConfiguration(planned);
  const results = resultsOf({
    packs,
    folder: resolve(dirname(file)),
    reserved: catalogue.map(({ id }) => id),
    input: {
      settings: {},
      declarations: declarations.map(({ section, name, value, unknownPaths }) => ({
        section,
        name,
        value,
        unknownPaths,
      })),
      resources: planned.map((resource) => terraformResource(resource, configuration)),
      ruleOptions,
      now: now.toISOString(),
    },
  });
  const origins = new Map<string, Origin | undefined>([
    ...declarations.map(({ section, name, origin }) => [`${section} ${name}`, origin] as const),
    ...planned.map(({ address, origin }) => [address, origin] as const),
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

type Results = Extract<PackResults, { packs: unknown }>['packs'];

/** The results by what was judged: a stack with errors is judged again with the others. */
const known = new Map<string, Results>();

function resultsOf(request: PackRequest): Results {
  const key = JSON.stringify({ ...request, input: { ...request.input, now: undefined } });
  const before = known.get(key);
  if (before !== undefined) return before;
  const answer = ask(request);
  if ('error' in answer) {
    const { code, message } = answer.error;
    throw code === undefined ? new Error(message) : new CastellanError(code as ErrorCode, message);
  }
  known.set(key, answer.packs);
  return answer.packs;
}

/** In milliseconds: packs have shorter limits of their own. */
const longestWait = 600_000;
/** The thread that waits for packs, which a synthesis cannot. */
let waiter: Worker | undefined;

function ask(request: PackRequest): PackResults {
  if (waiter === undefined) {
    waiter = new Worker(join(__dirname, '../../policies/run-packs.js'));
    waiter.unref();
  }
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  waiter.postMessage({ request, port: port2, done } satisfies PackMessage, [port2]);
  Atomics.wait(done, 0, 0, longestWait);
  const answer = receiveMessageOnPort(port1) as { readonly message: PackResults } | undefined;
  port1.close();
  return answer?.message ?? { error: { message: 'the packs of the policy did not answer' } };
}
