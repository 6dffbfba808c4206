import type { Finding } from '../../core/findings/finding.js';
import { sections } from '../../kinds/index.js';
import { policyFindings } from '../../policies/check/policy/policy-findings.js';
import { withoutRepeats } from '../../policies/engine/finding-maker.js';
import { referencesOf } from '../../policies/engine/references.js';
import type { Rule } from '../../policies/engine/rule.js';
import { runRules } from '../../policies/engine/run-rules.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { type Declaration, StackIndex } from '../../policies/engine/stack-index.js';
import { schemaFindings } from '../../policies/rules/declaration/schema-findings.js';
import { rules as catalogue } from '../../policies/rules/index.js';
import type { Construct, TerraformStack } from '../internal/cdktf.js';
import { stackOf, stacksBelow } from '../internal/stack-nodes.js';
import { findingsAfterChanges, type RuleRunOptions } from './changed-resource-findings.js';
import { declarationsInStack, declarationsOfOtherStacks } from './declarations.js';
import { duplicateResourceGroupFindings } from './duplicate-resource-group-findings.js';
import { forEachFindings } from './for-each-findings.js';
import { redirectUriFindings } from './redirect-uri-findings.js';
import { resourceFindings } from './resource-findings.js';
import { settingsFindings } from './settings-findings.js';
import { applyPolicyToScopes } from './tree-policy.js';
import { treeSettings } from './tree-settings.js';

/** Options of a tree check. */
export interface CheckTreeOptions {
  /** The rules that run. @default all rules */
  readonly rules?: readonly Rule[] | undefined;
  /**
   * Options of rules by id, as in `rules: { ID: { options } }` of castellan.policy.yaml. @default
   * none
   */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** The current time, for date checks. @default now */
  readonly now?: Date | undefined;
}

/**
 * Checks a construct tree by the rules and packs that castellan.policy.yaml enables, including rules
 * that combine declarations, such as those about allowed members and missing references. Resources
 * created by other constructs are checked like those of a plan. Each finding points at the
 * line that created the construct.
 *
 * @example
 * const errors = checkTree(stack).filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error');
 */
export function checkTree(scope: Construct, options: CheckTreeOptions = {}): readonly Finding[] {
  const stacks = stacksBelow(scope);
  const isChecked = stackOf(scope) !== undefined || stacks.length === 0;
  return checkScopes(isChecked ? [scope, ...stacks] : stacks, options);
}

/** Checks a stack by itself, as {@link checkTree} does, without the stacks inside it. */
export function checkStack(stack: TerraformStack, options: CheckTreeOptions): readonly Finding[] {
  return checkScopes([stack], options);
}

/** @param scopes stacks, or one scope that is a part of a stack or is outside of stacks. */
function checkScopes(
  scopes: readonly Construct[],
  { rules = catalogue, ruleOptions = {}, now = new Date() }: CheckTreeOptions,
): readonly Finding[] {
  const settings = Object.fromEntries(
    Object.entries(ruleOptions).map(([id, options]) => [id, { options }]),
  );
  const optionsAsPolicy = {
    config: { version: 1, rules: settings } as const,
    locate: () => undefined,
  };
  return [
    ...policyFindings(optionsAsPolicy, rules),
    ...applyPolicyToScopes(scopes, { rules, ruleOptions, now }, runRulesOnScope),
  ];
}

function runRulesOnScope(scope: Construct, options: RuleRunOptions): readonly Finding[] {
  const { rules, ruleOptions, now } = options;
  const declarations = declarationsInStack(scope);
  const settings = treeSettings(scope);
  const index = new StackIndex(
    settings,
    declarations,
    referencesOf,
    () => undefined,
    undefined,
    () => declarationsOfOtherStacks(scope),
  );
  const declarationFindings = withoutRepeats([
    ...declarations.flatMap((declaration) => valueFindings(declaration, rules)),
    ...runRules(index, rules, { scope: 'stack', ruleOptions, now }),
  ]);
  return [
    ...settingsFindings(scope, settings, rules),
    ...findingsAfterChanges(scope, options, declarationFindings),
    ...redirectUriFindings(scope, rules),
    ...duplicateResourceGroupFindings(scope, rules),
    ...forEachFindings(scope, rules),
    ...resourceFindings(scope, options),
  ];
}

/** The findings about a declaration's values by themselves. */
function valueFindings(declaration: Declaration, rules: readonly Rule[]): readonly Finding[] {
  const { section, name, value, unknownPaths, origin } = declaration;
  const schema = sections[section] as unknown as SchemaNode;
  const subject = { path: [section, name], origin };
  return schemaFindings({ section, schema, subject, value, unknownPaths }, rules, () => undefined);
}
