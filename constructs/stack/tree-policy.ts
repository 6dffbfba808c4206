import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { diskFiles } from '../../core/source/file-access.js';
import { suppressionLimitsOf } from '../../policies/check/accepted-findings.js';
import { applyPolicy } from '../../policies/check/policy/applied-policy.js';
import { applyBaseline } from '../../policies/check/policy/baseline.js';
import type { LoadedPolicy } from '../../policies/check/policy/load-policy.js';
import { policyFindings } from '../../policies/check/policy/policy-findings.js';
import { readBaseline } from '../../policies/check/policy/read-baseline.js';
import { suppress, type SuppressionContext } from '../../policies/check/policy/suppressions.js';
import type { Rule } from '../../policies/engine/rule.js';
import { type Construct, type IConstruct, TerraformStack } from '../internal/cdktf.js';
import type { RuleRunOptions } from './changed-resource-findings.js';
import { currentPolicy } from './current-policy.js';
import { runPacksOnTree } from './pack-findings.js';
import { Suppressions } from './suppressions.js';

/**
 * Checks a tree under castellan.policy.yaml and the policies that it includes: with their rules,
 * severities, options and packs. Suppressions, also those of the program, and the baseline are
 * applied to the findings. In a tree of several stacks, each is checked by itself.
 *
 * @param judge returns the findings of the given rules.
 */
export function applyPolicyToTree(
  scope: Construct,
  options: RuleRunOptions,
  judge: Judge,
): readonly Finding[] {
  const policy = currentPolicy();
  const stacks = stacksBelow(scope);
  const results = (stacks.length === 0 ? [scope] : stacks).map((each) =>
    applyPolicyToStack(each, policy, options, judge),
  );
  const { allRules = [] } = results[0] ?? {};
  const findingsAboutPolicy =
    policy.file === undefined ? [] : [...policy.findings, ...policyFindings(policy, allRules)];
  return [...findingsAboutPolicy, ...results.flatMap(({ findings }) => findings)];
}

/** The stacks of a scope that is outside of them, such as an app. */
function stacksBelow(scope: Construct): readonly TerraformStack[] {
  const areStacks = (each: IConstruct): boolean => TerraformStack.isStack(each);
  if (scope.node.scopes.some(areStacks)) return [];
  return scope.node
    .findAll()
    .filter(TerraformStack.isStack)
    .filter(({ node }) => !node.scopes.slice(0, -1).some(areStacks));
}

type Judge = (scope: Construct, options: RuleRunOptions) => readonly Finding[];

/** The findings about a stack or a part of it, and the rules of the catalogue and of packs. */
function applyPolicyToStack(
  scope: Construct,
  policy: LoadedPolicy,
  { rules, ruleOptions, now }: RuleRunOptions,
  judge: Judge,
): { readonly allRules: readonly Rule[]; readonly findings: readonly Finding[] } {
  const stack = scope.node.root === scope ? undefined : TerraformStack.of(scope).node.id;
  const applied = applyPolicy(policy.config, rules, { stack, environment: defaultEnvironment });
  const options = { ...applied.ruleOptions, ...ruleOptions };
  const packs = runPacksOnTree(scope, policy, { ruleOptions: options, now });
  const allRules = [...rules, ...(packs.rules as readonly Rule[])];
  const treeFindings = judge(scope, { rules: applied.rules, ruleOptions: options, now });
  const findingsWithSeverity = [...treeFindings, ...packs.findings].flatMap(
    (finding) => applied.applySeverity(finding) ?? [],
  );
  const cwd = process.cwd();
  const context: SuppressionContext = {
    now,
    ruleIds: allRules.map(({ id }) => id),
    valueOf: () => undefined,
    ruleHadInput: () => true,
    lockedRules: new Set(policy.config.locked),
    limits: suppressionLimitsOf(policy, { now, cwd, files: diskFiles, base: undefined }),
    environment: defaultEnvironment,
    otherEnvironments: [],
  };
  const remaining = withoutSuppressed(scope, findingsWithSeverity, policy, stack, context);
  return { allRules, findings: withoutBaseline(remaining, policy, stack, cwd) };
}

/** The findings without those that suppressions of the policy or of the program accept. */
function withoutSuppressed(
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
  const listedSuppressions = (config.suppressions ?? [])
    .map((each, index) => ({
      ...each,
      location: locate(['suppressions', index]) ?? { file, line: 1, column: 1 },
    }))
    .filter((each) => each.stack === undefined || each.stack === stack)
    .map(({ stack: _stack, ...each }) => each);
  if (listedSuppressions.length === 0) return remaining;
  // an unused suppression is not reported: another stack of the app may use it
  return suppress(remaining, listedSuppressions, { ...context, ruleHadInput: () => false })
    .findings;
}

/**
 * The findings without those of the baseline, which names files relative to the current folder or
 * to its own: it was written in one of them.
 */
function withoutBaseline(
  findings: readonly Finding[],
  { config, file: policyFile }: LoadedPolicy,
  stack: string | undefined,
  cwd: string,
): readonly Finding[] {
  const { baseline: declared, locked } = config;
  const baseline = readBaseline(undefined, {
    cwd,
    files: diskFiles,
    policyFile,
    declaredFile: declared,
  });
  if (baseline === undefined) return findings;
  let remaining = findings;
  for (const folder of new Set([cwd, dirname(resolve(cwd, baseline.file))])) {
    const originalByRelative = new Map(
      remaining.map((finding) => [
        { ...withPathRelativeTo(folder, finding), ...(stack !== undefined && { stack }) },
        finding,
      ]),
    );
    const applied = applyBaseline([...originalByRelative.keys()], {
      ...baseline,
      checkedFiles: new Set(),
      // an unused entry is not reported: it may be about another stack of the app
      ruleHadInput: () => false,
      exists: () => true,
      locked: new Set(locked),
    });
    remaining = applied.findings.map((finding) => originalByRelative.get(finding) ?? finding);
  }
  return remaining;
}

/** A finding with its file as `castellan check` names it in a folder. */
function withPathRelativeTo(folder: string, finding: Finding): Finding {
  const { location } = finding;
  if (location === undefined || !isAbsolute(location.file)) return finding;
  return { ...finding, location: { ...location, file: relative(folder, location.file) } };
}
