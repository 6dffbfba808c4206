import type { ConfigPath } from '../../core/yaml/layers.js';
import type { PlannedResource } from './planned-resource.js';
import type { Rule } from './rule.js';

/** A finding of a plan rule about a resource. */
export interface PlanReport {
  readonly messageId: string;
  /** The attribute, relative to the resource. */
  readonly attribute?: ConfigPath;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A rule about the actions of a plan, not about declarations. */
export interface PlanRule extends Omit<
  Rule,
  'check' | 'sections' | 'scope' | 'reportsSchemaMistakesOf' | 'reads'
> {
  /** The resource types that it checks. */
  readonly types: readonly string[];
  check(resource: PlannedResource, report: (report: PlanReport) => void): void;
}

/** The entry of a plan rule in the list of all rules. */
export function planCatalogueRule({ check: _check, types: _types, ...rule }: PlanRule): Rule {
  return { ...rule, sections: [] };
}
