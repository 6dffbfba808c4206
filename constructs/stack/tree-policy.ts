import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { findingOfProblem } from '../../core/findings/make-finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { diskFiles } from '../../core/source/file-access.js';
import { readSource } from '../../core/source/read-source.js';
import { Layers } from '../../core/yaml/layers.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
import { applyPolicy } from '../../policies/check/policy/applied-policy.js';
import {
  checkedPolicy,
  type LoadedPolicy,
  noPolicy,
} from '../../policies/check/policy/load-policy.js';
import { policyName } from '../../policies/check/policy/find-policy.js';
import { policyFindings } from '../../policies/check/policy/policy-findings.js';
import { suppress, type SuppressionContext } from '../../policies/check/policy/suppress.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { Suppressions } from './suppressions.js';
import type { JudgeOptions } from './changed-resources.js';

/**
 * The findings about a tree as castellan.policy.yaml in the current folder says: its rules, their
 * severities and options, and its suppressions, besides those of the program. Packs need processes
 * of their own, and are run by `castellan check`.
 */
export function underPolicy(
  scope: Construct,
  { rules, ruleOptions, now }: JudgeOptions,
  judge: (scope: Construct, options: JudgeOptions) => readonly Finding[],
): readonly Finding[] {
  const policy = readPolicy();
  const stack = scope.node.root === scope ? undefined : TerraformStack.of(scope).node.id;
  const applied = applyPolicy(policy.config, rules, { stack, environment: undefined });
  const options = { ...applied.ruleOptions, ...ruleOptions };
  const found = judge(scope, { rules: applied.rules, ruleOptions: options, now });
  const judged = found.flatMap((finding) => applied.judge(finding) ?? []);
  const context: SuppressionContext = {
    now,
    ruleIds: rules.map(({ id }) => id),
    valueOf: () => undefined,
    isJudged: () => true,
    locked: new Set(policy.config.locked),
    environment: defaultEnvironment,
    otherEnvironments: [],
  };
  const mistakes =
    policy.file === undefined ? [] : [...policy.findings, ...policyFindings(policy, rules)];
  return [...mistakes, ...accepted(scope, judged, policy, stack, context)];
}

/** The findings without those that the policy and the program accept. */
function accepted(
  scope: Construct,
  findings: readonly Finding[],
  { config, file = '', locate }: LoadedPolicy,
  stack: string | undefined,
  context: SuppressionContext,
): readonly Finding[] {
  let remaining = findings;
  for (const [path, suppression] of Suppressions.below(scope)) {
    const isInside = ({ constructPath = '' }: Finding): boolean =>
      `${constructPath}/`.startsWith(`${path}/`);
    const result = suppress(remaining.filter(isInside), [suppression], context);
    remaining = [...remaining.filter((each) => !isInside(each)), ...result.findings];
  }
  const listed = (config.suppressions ?? [])
    .filter((each) => each.stack === undefined || each.stack === stack)
    .map(({ stack: _stack, ...each }, index) => ({
      ...each,
      location: locate(['suppressions', index]) ?? { file, line: 1, column: 1 },
    }));
  if (listed.length === 0) return remaining;
  // another stack of the app may use one that this stack does not use
  return suppress(remaining, listed, { ...context, isJudged: () => false }).findings;
}

let known: { readonly text: string; readonly policy: LoadedPolicy } | undefined;

/** The policy of the current folder. */
function readPolicy(): LoadedPolicy {
  const path = resolve(policyName);
  if (diskFiles.look(path).kind !== 'file') return noPolicy;
  const read = readSource(path, diskFiles, policyName);
  if ('problem' in read)
    return { ...noPolicy, file: policyName, findings: [findingOfProblem(read.problem)] };
  const { source } = read;
  if (known?.text === source.text) return known.policy;
  const parsed = parseYaml(source);
  const policy =
    'problem' in parsed
      ? { ...noPolicy, file: policyName, findings: [findingOfProblem(parsed.problem)] }
      : policyIn(new Layers(parsed.documents));
  known = { text: source.text, policy };
  return policy;
}

function policyIn(layers: Layers): LoadedPolicy {
  return checkedPolicy(policyName, layers.value, (path, at) => layers.locate(path, at));
}
