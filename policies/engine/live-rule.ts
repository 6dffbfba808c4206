import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LiveGroup, LiveObject, LiveOwner } from '../model/live-reader.js';
import type { Rule } from './rule.js';
import type { Declaration } from './stack-index.js';

/** A declared group, and what the directory has of it. */
export interface LiveSubject {
  readonly declaration: Declaration<'groups'>;
  /** Undefined where the directory has none of that name. */
  readonly group: LiveGroup | undefined;
  readonly owners: readonly LiveOwner[];
  /** Who belongs to the group; undefined where the caller may not read it, or there are more than anyone declares. */
  members(): Promise<readonly LiveObject[] | undefined>;
  /** Whether a name among owners or members means that object. */
  means(declared: string, object: LiveObject): boolean;
  /** The ways in which an owner signs in; undefined where the caller may not read them. */
  methods(owner: LiveOwner): Promise<readonly string[] | undefined>;
  /** Where the declaration names an owner; below `owners` where it does not. */
  ownerPath(owner: LiveOwner): ConfigPath;
}

/** What a live rule says of a group. */
export interface LiveReport {
  readonly messageId: string;
  /** Below the declaration. */
  readonly path?: ConfigPath;
  /** Whether the key or the value is to be shown. @default value */
  readonly at?: 'key' | 'value';
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What keeps the rule from a verdict; the finding's verdict is then unknown. */
  readonly unknownBecause?: string;
}

/** A rule about what lives in the directory, rather than about what is declared. */
export interface LiveRule extends Omit<Rule, 'check' | 'sections' | 'scope' | 'claims' | 'reads'> {
  check(subject: LiveSubject, report: (report: LiveReport) => void): void | Promise<void>;
}

/** A live rule as the catalogue lists it. */
export function liveCatalogueRule({ check: _check, ...rule }: Omit<LiveRule, 'check'> & { readonly check: unknown }): Rule {
  return { ...rule, sections: [] };
}
