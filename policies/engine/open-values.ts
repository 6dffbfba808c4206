import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { later } from '../../kinds/schema/readers.js';
import { type Locate, makeUnknown, type Subject } from './finding-maker.js';
import type { Rule } from './rule.js';
import type { Origin } from './stack-index.js';

/** How many resources are named one by one of which a rule finds the same value open. */
export const mostNamed = 1_000;

/** A value that a rule finds open, in all resources of a section. */
interface OpenValue {
  readonly rule: Rule;
  readonly section: string;
  readonly path: ConfigPath;
  nameCount: number;
  /** The resources that aren't named, by what they are called and where they are. */
  readonly names: string[];
  readonly origins: Origin[];
}

/** Which of the resources that aren't named are left out: by address, what they are called, and where the value is. */
export type IsLeftOut = (address: string, subject: ConfigPath, path: ConfigPath) => boolean;

/**
 * Counts the resources of which a rule finds a value open, where they are too many to be named: a finding for each of half a million took
 * two thirds of the time of a plan, and as much memory as the plan.
 */
export class OpenValues {
  readonly #byRule = new Map<Rule, Map<string, OpenValue>>();

  /** Whether a resource's open value is counted; else it is to be named. */
  counts(rule: Rule, path: ConfigPath, { path: [section = '', name = ''], origin }: Subject): boolean {
    const byProperty = this.#byRule.get(rule) ?? new Map<string, OpenValue>();
    if (byProperty.size === 0) this.#byRule.set(rule, byProperty);
    const property = `${section}.${path.length === 1 ? String(path[0]) : path.join('.')}`;
    const known = byProperty.get(property);
    const open = known ?? { rule, section: String(section), path, nameCount: 0, names: [], origins: [] };
    if (known === undefined) byProperty.set(property, open);
    if (open.nameCount < mostNamed) {
      open.nameCount++;
      return false;
    }
    if (open.origins.at(-1) === origin) return true; // said already
    open.names.push(String(name));
    open.origins.push(origin);
    return true;
  }

  /** What is said of those that were counted: one finding for all in which the same value is open, where they are many. */
  finish(isLeftOut: IsLeftOut, locate: Locate): readonly Finding[] {
    const all = [...this.#byRule.values()].flatMap((byProperty) => [...byProperty.values()]);
    return all.flatMap(({ rule, section, path, names, origins }): readonly Finding[] => {
      const remaining = [...origins.keys()].filter(
        (index) => !isLeftOut(origins[index]?.terraformAddress ?? '', [section, names[index] ?? ''], path),
      );
      const nameCount = remaining.slice(0, remaining.length > mostNamed ? 1 : remaining.length).map((index) => {
        const subject = { path: [section, names[index] ?? ''], origin: origins[index] ?? {} };
        return makeUnknown(rule, { path, value: later }, subject, locate);
      });
      const further = remaining.length - nameCount.length;
      if (further === 0) return nameCount;
      return nameCount.map((finding) => ({
        ...finding,
        further,
        message: `${finding.message}, and so in ${String(further)} more resources`,
      }));
    });
  }
}
