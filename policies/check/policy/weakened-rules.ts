import { isDeepStrictEqual } from 'node:util';
import type { Severity, SourceLocation, Weakened } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { PolicyConfig } from '../../../kinds/policy/schema.js';
import type { Rule } from '../../engine/rule.js';
import { applyPolicy, type PolicyTarget } from './applied-policy.js';

/** What is known of a rule; packs do not describe the options of their rules. */
export type KnownRule = Pick<Rule, 'id' | 'severity'> &
  Partial<Pick<Rule, 'options' | 'resources'>>;

/** A weakening before it is a finding: its message, and its place in the policy of the change. */
export interface Weakening {
  readonly weakened: Weakened;
  /** The message of the rule `policy-weakened`. */
  readonly messageId: string;
  readonly path: ConfigPath;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** @default that of the path in the policy */
  readonly location?: SourceLocation;
}

/** The stacks and environments that policies may treat differently. */
export interface PolicyTargets {
  readonly stacks: readonly string[];
  readonly environments: readonly string[];
}

/** The rules that a policy switches off, or gives less weight or other options than before. */
export function weakenedRules(
  now: PolicyConfig,
  before: PolicyConfig,
  rules: readonly KnownRule[],
  targets: PolicyTargets,
): readonly Weakening[] {
  const ids = new Set(
    [now, before].flatMap(({ rules: own = {}, scopes = [] }) =>
      [own, ...scopes.map((scope) => scope.rules)].flatMap((each) => Object.keys(each)),
    ),
  );
  const allTargets = targetsOf([now, before], targets);
  const unlockedIds = (before.locked ?? []).filter((id) => now.locked?.includes(id) !== true);
  return [
    ...[...ids].flatMap((id) => {
      const rule = rules.find((each) => each.id === id);
      const firstWeakening = allTargets
        .map((target) => weakeningOf(id, rule, now, before, target))
        .find((weakening) => weakening !== undefined);
      return firstWeakening ?? [];
    }),
    ...unlockedIds.map((given): Weakening => ({
      weakened: 'rule-off',
      messageId: 'unlocked',
      path: ['locked'],
      parameters: { given },
    })),
    ...weakerLimits(now, before),
  ];
}

/** All targets that a scope can have, the general case first. */
function targetsOf(
  configs: readonly PolicyConfig[],
  { stacks, environments }: PolicyTargets,
): readonly PolicyTarget[] {
  const scopes = configs.flatMap((config) => config.scopes ?? []);
  const names = new Set([...stacks, ...scopes.flatMap((scope) => scope.stacks ?? [])]);
  const environmentNames = new Set([
    ...environments,
    ...scopes.flatMap((scope) => scope.environments ?? []),
  ]);
  return [undefined, ...names].flatMap((stack) =>
    [undefined, ...environmentNames].map((environment) => ({ stack, environment })),
  );
}

const severityOrder: readonly (Severity | 'off')[] = ['off', 'info', 'warning', 'error'];

function weakeningOf(
  id: string,
  rule: KnownRule | undefined,
  now: PolicyConfig,
  before: PolicyConfig,
  target: PolicyTarget,
): Weakening | undefined {
  const [policy, policyBefore] = [now, before].map((config) => applyPolicy(config, [], target));
  const severities = [policy, policyBefore].map(
    (each) => each?.severityOf(id) ?? rule?.severity ?? 'error',
  );
  const [severity = 'error', severityBefore = 'error'] = severities;
  const path = settingPath(now, id, target);
  const parameters = {
    given: id,
    where: describeTarget(target),
    now: severity,
    before: severityBefore,
  };
  if (severityOrder.indexOf(severity) < severityOrder.indexOf(severityBefore))
    return severity === 'off'
      ? { weakened: 'rule-off', messageId: 'off', path, parameters }
      : { weakened: 'severity', messageId: 'severity', path, parameters };
  const [options = {}, optionsBefore = {}] = [policy, policyBefore].map(
    (each) => each?.ruleOptions[id],
  );
  if (!allowsMore(options, optionsBefore, rule)) return undefined;
  const texts = { now: JSON.stringify(options), before: JSON.stringify(optionsBefore) };
  return {
    weakened: 'option',
    messageId: 'option',
    path,
    parameters: { ...parameters, ...texts },
  };
}

type Options = Readonly<Record<string, unknown>>;

/**
 * Whether options allow more. Those of the catalogue are allowances: a greater number, true, or
 * more entries. What an option of a user's own rule means is not known, so each change counts.
 */
function allowsMore(now: Options, before: Options, rule: KnownRule | undefined): boolean {
  if (isDeepStrictEqual(now, before)) return false;
  if (rule?.resources !== undefined || rule?.options === undefined) return true;
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].some((name) => {
    const [value, earlier] = isDemand(rule, name)
      ? [before[name], now[name]]
      : [now[name], before[name]];
    if (isDeepStrictEqual(value, earlier)) return false;
    if (typeof value === 'number') return typeof earlier !== 'number' || value > earlier;
    if (typeof value === 'boolean') return value;
    if (Array.isArray(value)) {
      const earlierEntries: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
      return value.some((each) => !earlierEntries.includes(each));
    }
    return typeof earlier === 'number' || value !== undefined; // the default may allow more
  });
}

/** Whether an option demands something, so that less of it allows more. */
function isDemand({ options }: KnownRule, name: string): boolean {
  const schema = options?.properties as Readonly<Record<string, object>> | undefined;
  return schema?.[name] !== undefined && 'x-demand' in schema[name];
}

/** The setting of a rule that applies to a target, or where one would be. */
function settingPath({ scopes = [] }: PolicyConfig, id: string, target: PolicyTarget): ConfigPath {
  const scope = scopes.findLastIndex(
    ({ stacks, environments, rules }) =>
      rules[id] !== undefined &&
      (stacks === undefined || stacks.includes(target.stack ?? '')) &&
      (environments === undefined || environments.includes(target.environment ?? '')),
  );
  return scope === -1 ? ['rules', id] : ['scopes', scope, 'rules', id];
}

function describeTarget({ stack, environment }: PolicyTarget): string {
  const parts = [
    stack === undefined ? '' : ` for the stack ${stack}`,
    environment === undefined ? '' : ` in ${environment}`,
  ];
  return parts.join('');
}

function weakerLimits(
  { suppressionLimits: now = {} }: PolicyConfig,
  { suppressionLimits: before = {} }: PolicyConfig,
): readonly Weakening[] {
  const isLonger =
    before.longest !== undefined &&
    (now.longest === undefined || parseInt(now.longest, 10) > parseInt(before.longest, 10));
  const { approvedBy } = before;
  const canMoreApprove =
    approvedBy !== undefined &&
    (now.approvedBy === undefined || now.approvedBy.some((each) => !approvedBy.includes(each)));
  if (!isLonger && !canMoreApprove) return [];
  const parameters = { now: JSON.stringify(now), before: JSON.stringify(before) };
  return [
    { weakened: 'suppression', messageId: 'limits', path: ['suppressionLimits'], parameters },
  ];
}
