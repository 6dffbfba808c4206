import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { sourceInResource } from './attribute-source.js';
import { makeFinding, makeUnknownFinding, withGivenValue } from './finding-maker.js';
import { type ResourceContext, type Rule } from './rule.js';
import { valueAt } from './schema-validation.js';
import type { TerraformResource } from './terraform-resource.js';

/** A rule about Terraform resources, as {@link Rule} is one about declarations. */
export interface ResourceRule<Values = Readonly<Record<string, unknown>>> extends Pick<
  Rule,
  'id' | 'title' | 'why' | 'severity' | 'source' | 'messages' | 'reads' | 'options'
> {
  /** The resource types that the rule checks; `*` for all. */
  readonly resources: readonly string[];
  /** Checks one resource. */
  check(resource: TerraformResource<Values>, context: ResourceContext): void;
}

/**
 * Defines a rule about the resources of plans and states, by their Terraform types.
 *
 * @typeParam Values the types of the attributes, such as the config of a provider's binding.
 * @example
 * export const storageOverHttps = defineResourceRule({
 *   id: 'storage-over-https',
 *   title: 'Storage takes HTTPS only.',
 *   why: 'Keys travel in clear.',
 *   severity: 'error',
 *   source: 'our baseline',
 *   resources: ['azurerm_storage_account'],
 *   reads: ['https_traffic_only_enabled'],
 *   messages: { http: '{given} takes plain HTTP' },
 *   check({ address, values }, context) {
 *     if (values['https_traffic_only_enabled'] === false)
 *       context.report({
 *         messageId: 'http',
 *         path: ['https_traffic_only_enabled'],
 *         parameters: { given: address },
 *       });
 *   },
 * });
 */
export function defineResourceRule<Values = Readonly<Record<string, unknown>>>(
  rule: ResourceRule<Values>,
): Rule {
  const { check, ...otherProperties } = rule;
  return { ...otherProperties, sections: [], checkResource: check as ResourceRule['check'] };
}

/** Whether a rule checks a resource type. */
export function appliesToType({ resources = [] }: Pick<Rule, 'resources'>, type: string): boolean {
  return resources.includes(type) || resources.includes('*');
}

/** The subject of a finding about a resource: its address as a path. */
export function resourcePath(address: string): readonly string[] {
  // steps end at dots, except within brackets
  return address.match(/(?:[^.["]|\["(?:[^"\\]|\\.)*"\]|\[[^"\]]*\])+/g) ?? [address];
}

/** Runs a rule on resources. */
export function runResourceRule(
  rule: Rule,
  allResources: readonly TerraformResource[],
  { options, now }: Pick<ResourceContext, 'options' | 'now'>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const locate = (): undefined => undefined;
  const byType = new Map<string, readonly TerraformResource[]>();
  const resources = (type: string): readonly TerraformResource[] => {
    const resourcesOfType = byType.get(type) ?? allResources.filter((each) => each.type === type);
    byType.set(type, resourcesOfType);
    return resourcesOfType;
  };
  for (const resource of allResources) {
    if (!appliesToType(rule, resource.type)) continue;
    const subject = {
      path: resourcePath(resource.address),
      origin: { terraformAddress: resource.address },
    };
    const unknown = (path: ConfigPath): void => {
      findings.push(
        makeUnknownFinding(rule, { path, value: valueAt(resource.values, path) }, subject, locate),
      );
    };
    const unknownPath = resource.unknown.find((path) =>
      rule.reads?.some((each) => overlaps(path, each.split('.'))),
    );
    if (unknownPath !== undefined) unknown(unknownPath);
    else
      rule.checkResource?.(resource, {
        resources,
        options,
        now,
        unknown,
        source: (path) => sourceInResource(resource, path),
        report: (report) =>
          void findings.push(
            makeFinding(rule, withGivenValue(report, rule, resource.values), subject, locate),
          ),
      });
  }
  return findings;
}

/**
 * Whether an unknown attribute decides about a property: it is the property, contains it, or is
 * within it. `*` in the property means any key or index.
 */
function overlaps(path: ConfigPath, property: readonly string[]): boolean {
  return property.every(
    (step, index) => index >= path.length || step === '*' || step === String(path[index]),
  );
}
