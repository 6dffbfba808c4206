import type { Finding, Severity } from '../../../core/findings/finding.js';
import type { Rule } from '../../engine/rule.js';
import type { PolicyConfig, RuleSetting } from '../../../kinds/policy/schema.js';

/** The rules for one stack after a policy is applied. */
export interface AppliedPolicy {
  /** The rules that are not off. */
  readonly rules: readonly Rule[];
  /** The severity that the policy sets for a rule; undefined if it sets none. */
  severityOf(id: string): Severity | 'off' | undefined;
  /** The options that the policy sets, by the id of the rule. */
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Applies the policy's severity to a finding; undefined if the rule is off. */
  applySeverity(finding: Finding): Finding | undefined;
}

/** The stack that a policy is applied to. */
export interface PolicyTarget {
  /** Undefined for what is in no stack: scopes that name stacks do not contain it. */
  readonly stack: string | undefined;
  /**
   * `default` for the one without an overlay. Undefined for those that no scope names: scopes that
   * name environments do not contain it.
   */
  readonly environment: string | undefined;
}

/**
 * Applies a policy's settings, then those of each scope that contains the stack; later ones
 * override earlier ones.
 */
export function applyPolicy(
  config: PolicyConfig,
  rules: readonly Rule[],
  target: PolicyTarget,
): AppliedPolicy {
  const settings: Record<string, RuleSetting> = { ...config.rules };
  for (const scope of config.scopes ?? []) {
    const containsTarget =
      (scope.stacks === undefined || scope.stacks.includes(target.stack ?? '')) &&
      (scope.environments === undefined || scope.environments.includes(target.environment ?? ''));
    if (containsTarget)
      for (const [id, setting] of Object.entries(scope.rules))
        settings[id] = overlaySetting(settings[id], setting);
  }
  const severityOf = (id: string): Severity | 'off' | undefined => {
    const setting = settings[id];
    return typeof setting === 'object' ? setting.severity : setting;
  };
  const ruleOptions = Object.fromEntries(
    Object.entries(settings).flatMap(([id, setting]) =>
      typeof setting === 'object' && setting.options !== undefined ? [[id, setting.options]] : [],
    ),
  );
  return {
    severityOf,
    // the same list if no rule is off, since data that is prepared for a list is cached with it
    rules: rules.some(({ id }) => severityOf(id) === 'off')
      ? rules.filter(({ id }) => severityOf(id) !== 'off')
      : rules,
    ruleOptions,
    applySeverity(finding) {
      const severity = severityOf(finding.ruleId);
      if (severity === 'off') return undefined;
      return severity === undefined ? finding : { ...finding, severity };
    },
  };
}

/** Overrides a setting; missing members keep their values. */
export function overlaySetting(under: RuleSetting | undefined, over: RuleSetting): RuleSetting {
  const [lowerSetting, upperSetting] = [under, over].map((each) =>
    typeof each === 'string' ? { severity: each } : each,
  );
  return {
    ...lowerSetting,
    ...upperSetting,
    ...(lowerSetting?.options !== undefined && {
      options: { ...lowerSetting.options, ...upperSetting?.options },
    }),
  };
}
