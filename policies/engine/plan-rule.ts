import type { ConfigPath } from '../../core/yaml/layers.js';
import type { PlannedResource } from './planned-resource.js';
import type { Rule } from './rule.js';

/** What a plan rule says of a resource. */
export interface PlanReport {
  readonly messageId: string;
  /** The attribute, below the resource. */
  readonly attribute?: ConfigPath;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A rule about what a plan would do, rather than about what is declared. */
export interface PlanRule extends Omit<Rule, 'check' | 'sections' | 'scope' | 'claims' | 'reads'> {
  /** The types of resources that it looks at. */
  readonly types: readonly string[];
  check(resource: PlannedResource, report: (report: PlanReport) => void): void;
}

/** A plan rule as the catalogue lists it. */
export function planCatalogueRule({ check: _check, types: _types, ...rule }: PlanRule): Rule {
  return { ...rule, sections: [] };
}
