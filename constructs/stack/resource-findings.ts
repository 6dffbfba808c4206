import type { Finding } from '../../core/findings/finding.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import { appliesToType, runResourceRule } from '../../policies/engine/resource-rule.js';
import { secretLiteral } from '../../policies/rules/declaration/schema-rules.js';
import { ResourceChecker } from '../../policies/sources/plan/check-plan.js';
import { primaryTypes, sectionOf } from '../../policies/sources/plan/declaring-types.js';
import { terraformResource } from '../../policies/sources/plan/terraform-resource.js';
import type { Construct } from '../internal/cdktf.js';
import type { RuleRunOptions } from './changed-resource-findings.js';
import { appType, literalSecretFindings } from './literal-secret-findings.js';
import { treeConfiguration, type TreeResource, treeResources } from './tree-resources.js';

/**
 * The findings about the resources of a stack, or of a part of it. Those of other constructs are
 * checked like those of a plan; rules about types of resources run on all.
 */
export function resourceFindings(scope: Construct, options: RuleRunOptions): readonly Finding[] {
  const { rules } = options;
  const wantsResource = (type: string): boolean => rules.some((rule) => appliesToType(rule, type));
  const resources = treeResources(scope, (type) => type === appType || wantsResource(type));
  const otherResources = resources.filter(({ isOfCastellan }) => !isOfCastellan);
  const alikeResources = castellanResourcesLike(otherResources, scope);
  const configuration = treeConfiguration([...resources, ...alikeResources]);
  const checker = new ResourceChecker({
    ...options,
    locate: () => undefined,
    declarationsToReturn: new Set(),
    configuration,
    wantsResource,
  });
  for (const resource of alikeResources) checker.reserveName(resource);
  for (const resource of otherResources) checker.add(resource);
  const { findings, requestedResources } = checker.finish();
  const castellanResources = resources
    .filter(({ isOfCastellan, type }) => isOfCastellan && wantsResource(type))
    .map((resource) => terraformResource(resource, configuration));
  return [
    ...(rules.includes(secretLiteral) ? resources.flatMap(literalSecretFindings) : []),
    ...findings,
    ...findingsAboutTypes([...requestedResources, ...castellanResources], resources, options),
  ];
}

/**
 * The resources of this package's constructs that declare the same kinds of things as the given
 * ones, which must have other names.
 */
function castellanResourcesLike(
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
  return treeResources(scope, (type) => types.has(type)).filter(
    ({ isOfCastellan }) => isOfCastellan,
  );
}

/** The findings of rules about types of resources, each at the line that created the resource. */
function findingsAboutTypes(
  checkedResources: readonly ReturnType<typeof terraformResource>[],
  resources: readonly TreeResource[],
  { rules, ruleOptions, now }: RuleRunOptions,
): readonly Finding[] {
  if (checkedResources.length === 0) return [];
  const origins = new Map(resources.map(({ address, origin }) => [address, origin]));
  return rules
    .flatMap((rule) =>
      rule.resources === undefined
        ? []
        : runResourceRule(rule, checkedResources, { options: ruleOptions[rule.id] ?? {}, now }),
    )
    .map((finding) => ({ ...finding, ...origins.get(finding.terraformAddress ?? '') }));
}
