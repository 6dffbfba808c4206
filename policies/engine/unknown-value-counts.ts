import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { type Locate, makeUnknownFinding, type Subject } from './finding-maker.js';
import type { Rule } from './rule.js';
import type { Origin } from './stack-index.js';

/** How many resources with the same unknown value a rule reports individually. */
export const listLimit = 1_000;

/** An unknown value that a rule needs, in all resources of a section. */
interface CountedValue {
  readonly rule: Rule;
  /** The section of castellan.yaml to which the resources belong: `groups`. */
  readonly section: string;
  /** The path of the value, relative to the declaration. */
  readonly path: ConfigPath;
  /** How many of the resources got a finding of their own, at most {@link listLimit}. */
  listedCount: number;
  /** The resources that are only counted, with their names and locations. */
  readonly names: string[];
  /** The origins of those resources, in the order of `names`. */
  readonly origins: Origin[];
}

/** Whether a counted value gets no finding: by address, path of the declaration and path in it. */
export type NeedsNoFinding = (
  address: string,
  declarationPath: ConfigPath,
  path: ConfigPath,
) => boolean;

/**
 * Counts resources whose values a rule needs and does not know, if they are too many to list: a
 * finding for each of half a million took two thirds of the time of a plan, and as much memory as
 * the plan.
 */
export class UnknownValueCounts {
  readonly #byRule = new Map<Rule, Map<string, CountedValue>>();

  /** Counts a resource's unknown value if too many are listed already; false: list it. */
  countIfListIsFull(
    rule: Rule,
    path: ConfigPath,
    { path: [section = '', name = ''], origin }: Subject,
  ): boolean {
    const byProperty = this.#byRule.get(rule) ?? new Map<string, CountedValue>();
    if (byProperty.size === 0) this.#byRule.set(rule, byProperty);
    const property = `${section}.${path.length === 1 ? String(path[0]) : path.join('.')}`;
    const existing = byProperty.get(property);
    const counted = existing ?? {
      rule,
      section: String(section),
      path,
      listedCount: 0,
      names: [],
      origins: [],
    };
    if (existing === undefined) byProperty.set(property, counted);
    if (counted.listedCount < listLimit) {
      counted.listedCount++;
      return false;
    }
    if (counted.origins.at(-1) === origin) return true; // counted already
    counted.names.push(String(name));
    counted.origins.push(origin);
    return true;
  }

  /**
   * The findings about the counted values: one per value that is unknown in many resources.
   *
   * @param needsNoFinding e.g. because castellan.yaml declares the value, or the provider chooses it.
   */
  finish(needsNoFinding: NeedsNoFinding, locate: Locate): readonly Finding[] {
    const countedValues = [...this.#byRule.values()].flatMap((byProperty) => [
      ...byProperty.values(),
    ]);
    return countedValues.flatMap(({ rule, section, path, names, origins }): readonly Finding[] => {
      const remaining = [...origins.keys()].filter(
        (index) =>
          !needsNoFinding(
            origins[index]?.terraformAddress ?? '',
            [section, names[index] ?? ''],
            path,
          ),
      );
      const findings = remaining
        .slice(0, remaining.length > listLimit ? 1 : remaining.length)
        .map((index) => {
          const subject = { path: [section, names[index] ?? ''], origin: origins[index] ?? {} };
          return makeUnknownFinding(rule, { path, value: unknownPlaceholder }, subject, locate);
        });
      const further = remaining.length - findings.length;
      if (further === 0) return findings;
      return findings.map((finding) => ({
        ...finding,
        further,
        message: `${finding.message}, and so in ${String(further)} more resources`,
      }));
    });
  }
}
