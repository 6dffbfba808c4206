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
import type { Suppression } from '../../policies/check/policy/suppression-comments.js';
import { suppress, type SuppressionContext } from '../../policies/check/policy/suppressions.js';
import type { Rule } from '../../policies/engine/rule.js';
import type { Construct } from '../internal/cdktf.js';
import { nodesInStack, stackOf, stacksBelow } from '../internal/stack-nodes.js';
import type { RuleRunOptions } from './changed-resource-findings.js';
import { currentPolicy } from './current-policy.js';
import { runPacksOnTree } from './pack-findings.js';
import { suppressionsOn } from './suppressions.js';

/**
 * Checks stacks, or parts of them, under castellan.policy.yaml and the policies that it includes:
 * with their rules, severities, options and packs. Suppressions, also those of the program, and the
 * baseline are applied to the findings. Each scope is checked by itself.
 *
 * @param runRules returns the findings of the given rules.
 */
export function applyPolicyToScopes(
  scopes: readonly Construct[],
  options: RuleRunOptions,
  runRules: RunRulesOnScope,
): readonly Finding[] {
  const policy = currentPolicy();
  const results = scopes.map((each) => applyPolicyToScope(each, policy, options, runRules));
  const { allRules = [] } = results[0] ?? {};
  const findingsAboutPolicy =
    policy.file === undefined ? [] : [...policy.findings, ...policyFindings(policy, allRules)];
  return [...findingsAboutPolicy, ...results.flatMap(({ findings }) => findings)];
}

type RunRulesOnScope = (scope: Construct, options: RuleRunOptions) => readonly Finding[];

/** The findings about a scope, and the rules of the catalogue and of packs. */
function applyPolicyToScope(
  scope: Construct,
  policy: LoadedPolicy,
  { rules, ruleOptions, now }: RuleRunOptions,
  runRules: RunRulesOnScope,
): { readonly allRules: readonly Rule[]; readonly findings: readonly Finding[] } {
  const stack = stackOf(scope)?.node.id;
  const applied = applyPolicy(policy.config, rules, { stack, environment: defaultEnvironment });
  const options = { ...applied.ruleOptions, ...ruleOptions };
  const packs = runPacksOnTree(scope, policy, { ruleOptions: options, now });
  const allRules = [...rules, ...(packs.rules as readonly Rule[])];
  const treeFindings = runRules(scope, { rules: applied.rules, ruleOptions: options, now });
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
  for (const { path, suppression, isShared } of suppressionsFor(scope)) {
    const isCovered = ({ constructPath }: Finding): boolean =>
      constructPath !== undefined && isInside(constructPath, path);
    const result = suppress(
      remaining.filter(isCovered),
      [suppression],
      // an unused suppression is not reported where another stack may use it
      isShared ? { ...context, ruleHadInput: () => false } : context,
    );
    remaining = [...remaining.filter((each) => !isCovered(each)), ...result.findings];
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

/** A suppression of the program, and the path of its construct. */
interface ProgramSuppression {
  readonly path: string;
  readonly suppression: Suppression;
  /** Whether other stacks, or other parts of the stack, are checked apart and may use it, too. */
  readonly isShared: boolean;
}

/** The suppressions of a scope, of the constructs in it and of those around it. */
function suppressionsFor(scope: Construct): readonly ProgramSuppression[] {
  const innerStacks = stacksBelow(scope);
  const around = scope.node.scopes.slice(0, -1);
  return [...around, ...nodesInStack(scope)].flatMap((construct) => {
    const { path } = construct.node;
    const isShared =
      around.includes(construct) || innerStacks.some(({ node }) => isInside(node.path, path));
    return suppressionsOn(construct).map((suppression) => ({ path, suppression, isShared }));
  });
}

/** Whether a path is that of a construct, or of one below it; the path of an app is empty. */
function isInside(path: string, outer: string): boolean {
  return outer === '' || `${path}/`.startsWith(`${outer}/`);
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
