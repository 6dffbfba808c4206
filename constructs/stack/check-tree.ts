import { isAbsolute, relative } from 'node:path';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { sections } from '../../kinds/index.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { schemaFindings } from '../../policies/rules/declaration/schema-findings.js';
import { applyPolicyToTree } from './tree-policy.js';
import { findingsAfterChanges } from './changed-resource-findings.js';
import { referencesOf } from '../../policies/engine/references.js';
import type { TerraformResource as CheckedResource } from '../../policies/engine/terraform-resource.js';
import { appliesToType, runResourceRule } from '../../policies/engine/resource-rule.js';
import type { Rule } from '../../policies/engine/rule.js';
import { policyFindings } from '../../policies/check/policy/policy-findings.js';
import { runRules } from '../../policies/engine/run-rules.js';
import { type Declaration, StackIndex } from '../../policies/engine/stack-index.js';
import { rules as catalogue } from '../../policies/rules/index.js';
import { secretLiteral } from '../../policies/rules/declaration/schema-rules.js';
import { ResourceChecker } from '../../policies/sources/plan/check-plan.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import type { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct, TerraformStack } from '../internal/cdktf.js';
import {
  constructsIn,
  declarationsOfOtherStacks,
  declarationsOf,
  toDeclaration,
} from './declarations.js';
import { registrationRedirectUris } from '../../policies/rules/declaration/registration-redirect-uris.js';
import { referenceExists } from '../../policies/rules/declaration/reference-exists.js';
import { forEachFindings } from './for-each-findings.js';
import { duplicateResourceGroups } from './duplicate-resource-groups.js';
import { treeConfiguration, treeResources } from './tree-resources.js';
import { settingsFindings } from './settings-findings.js';
import { treeSettings } from './tree-settings.js';
import { makeFinding, withoutRepeats } from '../../policies/engine/finding-maker.js';
import { declarationOf } from '../../policies/sources/plan/declarations.js';
import { primaryTypes, sectionOf } from '../../policies/sources/plan/declaring-types.js';
import { terraformResource } from '../../policies/sources/plan/terraform-resource.js';

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
  const { rules = catalogue, ruleOptions = {}, now = new Date() } = options;
  const settings = Object.fromEntries(
    Object.entries(ruleOptions).map(([id, options]) => [id, { options }]),
  );
  const optionsAsPolicy = {
    config: { version: 1, rules: settings } as const,
    locate: () => undefined,
  };
  return [
    ...policyFindings(optionsAsPolicy, rules),
    ...applyPolicyToTree(scope, { rules, ruleOptions, now }, runRulesOnTree),
  ];
}

function runRulesOnTree(
  scope: Construct,
  { rules, ruleOptions, now }: Required<CheckTreeOptions>,
): readonly Finding[] {
  const locate = (): undefined => undefined;
  const declarations = declarationsOf(scope);
  const settings = treeSettings(scope);
  const index = new StackIndex(settings, declarations, referencesOf, locate, undefined, () =>
    declarationsOfOtherStacks(scope),
  );
  const wantsResource = (type: string): boolean => rules.some((rule) => appliesToType(rule, type));
  const resources = treeResources(scope, (type) => type === appType || wantsResource(type));
  const otherResources = resources.filter(({ isOwn }) => !isOwn);
  const ownResourcesOfSameKinds = ownResourcesLike(otherResources, scope);
  const configuration = treeConfiguration([...resources, ...ownResourcesOfSameKinds]);
  const checker = new ResourceChecker({
    rules,
    ruleOptions,
    now,
    locate,
    requestedDeclarationKeys: new Set(),
    configuration,
    wantsResource,
  });
  for (const resource of ownResourcesOfSameKinds) checker.takeName(resource);
  for (const resource of otherResources) checker.add(resource);
  const secretFindings = rules.includes(secretLiteral)
    ? resources.flatMap(literalSecretFindings)
    : [];
  const { findings, requestedResources } = checker.finish();
  const ruleFindings = runRules(index, rules, { scope: 'stack', ruleOptions, now });
  const ownResources = resources
    .filter(({ isOwn, type }) => isOwn && wantsResource(type))
    .map((resource) => terraformResource(resource, configuration));
  const resourceRuleFindings = resourceFindings(
    [...requestedResources, ...ownResources],
    resources,
    {
      rules,
      ruleOptions,
      now,
    },
  );
  const sharedRedirectUriFindings = rules.includes(registrationRedirectUris)
    ? constructsIn(scope).flatMap(redirectUriFindings)
    : [];
  const resourceGroupFindings = rules.includes(referenceExists)
    ? duplicateResourceGroups(scope)
    : [];
  const schemaMistakes = declarations.flatMap((declaration) => valueFindings(declaration, rules));
  const declarationFindings = findingsAfterChanges(
    scope,
    { rules, ruleOptions, now },
    withoutRepeats([...schemaMistakes, ...ruleFindings]),
  );
  return [
    ...settingsFindings(scope, settings, rules),
    ...declarationFindings,
    ...sharedRedirectUriFindings,
    ...resourceGroupFindings,
    ...forEachFindings(scope, rules),
    ...secretFindings,
    ...findings,
    ...resourceRuleFindings,
  ];
}

/**
 * The resources of this package's constructs that declare the same kinds of things as the given
 * ones, which must have other names.
 */
function ownResourcesLike(
  others: readonly PlannedResource[],
  scope: Construct,
): readonly PlannedResource[] {
  const types = new Set(
    others.flatMap((resource) => {
      const section = sectionOf(resource);
      return section === undefined ? [] : [...primaryTypes(section)];
    }),
  );
  if (types.size === 0) return [];
  return treeResources(scope, (type) => types.has(type)).filter(({ isOwn }) => isOwn);
}

/** The findings about a declaration's values by themselves. */
function valueFindings(declaration: Declaration, rules: readonly Rule[]): readonly Finding[] {
  const { section, name, value, unknownPaths, origin } = declaration;
  const schema = sections[section] as unknown as SchemaNode;
  const subject = { path: [section, name], origin };
  return schemaFindings({ section, schema, subject, value, unknownPaths }, rules, () => undefined);
}

/** The finding about a registration whose redirect URIs several stacks write. */
function redirectUriFindings(construct: CastellanConstruct): readonly Finding[] {
  const { stacksOfRedirectUris = [] } = construct as {
    readonly stacksOfRedirectUris?: readonly TerraformStack[];
  };
  const stacks = stacksOfRedirectUris.map(({ node }) => node.path).sort();
  if (stacks.length < 2) return [];
  const { section, name, origin } = toDeclaration(construct);
  const report = {
    messageId: 'severalStacks',
    path: ['redirectUris'],
    parameters: { stacks: stacks.join(' and ') },
  };
  const subject = { path: [section, name], origin };
  return [makeFinding(registrationRedirectUris, report, subject, () => undefined)];
}

/** The findings of rules about resources, each at the line that created the resource. */
function resourceFindings(
  resources: readonly CheckedResource[],
  planned: readonly PlannedResource[],
  { rules, ruleOptions, now }: Required<CheckTreeOptions>,
): readonly Finding[] {
  if (resources.length === 0) return [];
  const origins = new Map(planned.map(({ address, origin }) => [address, origin]));
  return rules
    .flatMap((rule) =>
      rule.resources === undefined
        ? []
        : runResourceRule(rule, resources, { options: ruleOptions[rule.id] ?? {}, now }),
    )
    .map((finding) => ({ ...finding, ...origins.get(finding.terraformAddress ?? '') }));
}

/**
 * A finding as one line: location, severity, message and rule, and the line that uses the library.
 */
export function formatFinding(finding: Finding): string {
  const { location, constructPath, message, ruleId, severity, usedAt } = finding;
  const place = location === undefined ? (constructPath ?? '') : formatLocation(location);
  const use = usedAt === undefined ? '' : `, used at ${formatLocation(usedAt)}`;
  return `${place}: ${severity}: ${message} (${ruleId})${use}`;
}

/** A location as FILE:LINE:COLUMN; the file is relative if it is below the current folder. */
function formatLocation({ file, line, column }: SourceLocation): string {
  const path = relative(process.cwd(), file);
  return `${path.startsWith('..') || isAbsolute(path) ? file : path}:${line}:${column}`;
}

/** A `secret` block of an app, or what is unknown in it. */
interface SecretBlock {
  readonly name?: unknown | undefined;
  readonly value?: unknown | undefined;
}

/** The type of the resources whose secrets are judged as they are written. */
const appType = 'azurerm_container_app';

/**
 * Finds secrets of an app that would be in the synthesized JSON: of plain bindings, of overrides and
 * of `Lazy` values. Only a tree shows this: in a plan, the value of a variable looks the same.
 */
function literalSecretFindings(resource: PlannedResource): readonly Finding[] {
  if (resource.type !== appType) return [];
  const declaration = declarationOf(resource);
  if (declaration === undefined) return [];
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  const unknowns = secretsOf(resource.afterUnknown);
  return secretsOf(resource.after).flatMap(({ name, value }, index) => {
    if (typeof value !== 'string' || value === '' || unknowns[index]?.value !== false) return [];
    const report = { messageId: 'bound', path: ['secrets', String(name)], parameters: { name } };
    return [makeFinding(secretLiteral, report, subject, () => undefined)];
  });
}

/**
 * The blocks of an app that contain secrets; a list with one block may be given as the block alone.
 */
function secretsOf(app: unknown): readonly SecretBlock[] {
  const { secret } = (app ?? {}) as {
    readonly secret?: SecretBlock | readonly SecretBlock[] | null;
  };
  if (secret === undefined || secret === null) return [];
  return Array.isArray(secret) ? (secret as readonly SecretBlock[]) : [secret as SecretBlock];
}
