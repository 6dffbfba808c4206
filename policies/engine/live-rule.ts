import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LiveGroup, LiveObject, LiveOwner } from '../model/live-reader.js';
import type { Rule } from './rule.js';
import type { Declaration } from './stack-index.js';

/** A declared group and the live one. */
export interface LiveGroupSubject {
  readonly declaration: Declaration<'groups'>;
  /** Undefined if the directory has none of that name. */
  readonly group: LiveGroup | undefined;
  /** The owners of the live group; `[]` if there is no such group. */
  readonly owners: readonly LiveOwner[];
  /**
   * The members of the live group; undefined if the caller may not read them, or there are more
   * than a declaration can have.
   */
  members(): Promise<readonly LiveObject[] | undefined>;
  /** Whether a declared owner or member refers to a live object. */
  refersTo(declared: string, object: LiveObject): boolean;
  /** Whether it is known which object a declared owner or member is. */
  isIdentified(declared: string): boolean;
  /** The authentication methods of an owner; undefined if the caller may not read them. */
  authenticationMethods(owner: LiveOwner): Promise<readonly string[] | undefined>;
  /** The path of the declared owner; `owners` if none is declared. */
  ownerPath(owner: LiveOwner): ConfigPath;
}

/** A finding as a live rule reports it. */
export interface LiveReport {
  readonly messageId: string;
  /** Relative to the declaration. */
  readonly path?: ConfigPath;
  /** Whether to locate the key or the value. @default value */
  readonly at?: 'key' | 'value';
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Why the rule cannot decide; the finding's verdict is then unknown. */
  readonly unknownBecause?: string;
}

/** A rule about live directory groups, whether or not a stack declares them. */
export interface LiveRule extends Omit<
  Rule,
  'check' | 'sections' | 'scope' | 'reportsSchemaMistakesOf' | 'reads'
> {
  check(subject: LiveGroupSubject, report: (report: LiveReport) => void): void | Promise<void>;
}

/** The entry of a live rule in the catalogue, which lists all rules. */
export function liveCatalogueRule({
  check: _check,
  ...rule
}: Omit<LiveRule, 'check'> & { readonly check: unknown }): Rule {
  return { ...rule, sections: [] };
}
