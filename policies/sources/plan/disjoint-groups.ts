import type { Finding } from '../../../core/findings/finding.js';
import { runRules } from '../../engine/run-rules.js';
import { type Declaration, StackIndex } from '../../engine/stack-index.js';
import { groupRuleOverlaps } from '../../rules/declaration/group-rule-overlaps.js';
import type { PlanCheckOptions } from './plan-check-options.js';

/** Checks the groups of a plan that must have no member in common, by the policy's `disjoint`. */
export class DisjointGroups {
  readonly #names: ReadonlySet<string>;
  readonly #groups: Declaration[] = [];

  constructor(private readonly options: PlanCheckOptions) {
    const { disjoint = [] } = (options.ruleOptions?.[groupRuleOverlaps.id] ?? {}) as {
      readonly disjoint?: readonly (readonly string[])[];
    };
    this.#names = new Set(disjoint.flat());
  }

  /** Adds a group that the policy names, unless the configuration declares it. */
  add(declaration: Declaration): void {
    const { section, name } = declaration;
    const isDeclared = this.options.isDeclared?.([section, name]) === true;
    if (section === 'groups' && this.#names.has(name) && !isDeclared)
      this.#groups.push(declaration);
  }

  /** The findings about the added groups, which are compared with each other. */
  finish(): readonly Finding[] {
    const { rules, ruleOptions, now, locate } = this.options;
    if (this.#groups.length < 2 || !rules.some(({ id }) => id === groupRuleOverlaps.id)) return [];
    const index = new StackIndex({}, this.#groups, () => [], locate);
    return runRules(index, [groupRuleOverlaps], {
      scope: 'stack',
      now,
      ...(ruleOptions !== undefined && { ruleOptions }),
    });
  }
}
