import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type MembershipRule, parseMembershipRule } from '../../kinds/membership-rule/index.js';

/** What must hold for all possible people, as written in an access test. */
export type Invariant =
  /** Nobody who fulfils a rule gets in; or everyone who gets in fulfils it. */
  | {
      readonly kind: 'never' | 'only';
      readonly app: string;
      readonly rule: MembershipRule;
      /** The path that is asked about. @default any path */
      readonly path?: string;
    }
  /** A group selects the same as a rule. */
  | { readonly kind: 'equivalent'; readonly group: string; readonly rule: MembershipRule }
  /** Everyone in a group is in another, too. */
  | { readonly kind: 'within'; readonly group: string; readonly within: string }
  /** No two groups have a member in common. */
  | { readonly kind: 'disjoint'; readonly groups: readonly string[] }
  /** No browser without a session reaches a path, or a path below it. */
  | { readonly kind: 'private'; readonly app: string; readonly path: string }
  /** A path, and all below it, asks for one of these authentication contexts. */
  | {
      readonly kind: 'requires';
      readonly app: string;
      readonly path: string;
      /** Values of the claim `acr`, one of which a sign-in must have. */
      readonly acrValues: readonly string[];
    };

/**
 * The keys that only invariants have, each with those that may be beside it. `only` is not among
 * them: as a text it makes an invariant, as a list it is an expectation about known people.
 */
export const invariantKeys: Readonly<Record<string, readonly string[]>> = {
  never: ['app', 'path'],
  within: ['group'],
  groups: ['disjoint'],
  disjoint: ['groups'],
  equivalent: ['group'],
  requires: ['app', 'path'],
};

type RawInvariant = Readonly<Record<string, unknown>>;

/** Whether an expectation is about all possible people. */
export function isInvariant(value: object): boolean {
  const raw = value as RawInvariant;
  return Object.keys(invariantKeys).some((key) => key in raw) || typeof raw['only'] === 'string';
}

/** Parses an invariant. @returns its mistake as a sentence, if it has one */
export function parseInvariant(value: object): Invariant | string {
  const { app, group, path, never, only, within, groups, disjoint, equivalent, requires } =
    value as RawInvariant;
  if (groups !== undefined || disjoint !== undefined)
    return isTextList(groups) && groups.length > 1 && disjoint === true
      ? { kind: 'disjoint', groups }
      : 'disjoint needs at least two groups: { groups: [auditors, operators], disjoint: true }';
  if (within !== undefined)
    return isText(group) && isText(within)
      ? { kind: 'within', group, within }
      : 'within needs two groups: { group: shoppers, within: customers }';
  if (equivalent !== undefined) {
    if (!isText(group) || !isText(equivalent))
      return 'equivalent needs a group and a rule: { group: shoppers, equivalent: \'user.department -eq "Retail"\' }';
    const rule = parseRule('equivalent', equivalent);
    return typeof rule === 'string' ? rule : { kind: 'equivalent', group, rule };
  }
  if (requires !== undefined) {
    const { acrValues } = (requires ?? {}) as { readonly acrValues?: unknown };
    return isText(app) && isPath(path) && isTextList(acrValues)
      ? { kind: 'requires', app, path, acrValues }
      : 'requires needs an app, a path and contexts: { app: shop, path: /admin, requires: { acrValues: [mfa] } }';
  }
  if (never === 'anonymous')
    return isText(app) && (path === undefined || isPath(path))
      ? { kind: 'private', app, path: path ?? '/' }
      : 'never: anonymous needs an app, and may have a path: { app: shop, path: /admin, never: anonymous }';
  const kind = never === undefined ? 'only' : 'never';
  const text = never ?? only;
  if (!isText(app) || !isText(text) || !(path === undefined || isPath(path)))
    return `${kind} needs an app and a rule, and may have a path: { app: admin, ${kind}: 'user.userType -eq "Guest"' }`;
  const rule = parseRule(kind, text);
  return typeof rule === 'string' ? rule : { kind, app, rule, ...omitUndefined({ path }) };
}

/**
 * Parses the rules that are assumed to hold for everybody.
 *
 * @returns its mistake as a sentence, if it has one
 */
export function parseAssumptions(value: unknown): readonly MembershipRule[] | string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
  const texts = isText(value) ? [value] : value;
  if (!isTextList(texts))
    return 'assume is a list of rules that hold for everybody: [\'user.usageLocation -match "^[A-Z]{2}$"\']';
  const rules: MembershipRule[] = [];
  for (const text of texts) {
    const rule = parseRule('assume', text);
    if (typeof rule === 'string') return rule;
    rules.push(rule);
  }
  return rules;
}

function parseRule(key: string, text: string): MembershipRule | string {
  const rule = parsePeopleRule(text);
  return typeof rule === 'string' ? `the rule of ${key} ${rule}` : rule;
}

/** Reads a rule about people. @returns what is wrong with the rule, as the end of a sentence */
export function parsePeopleRule(text: string): MembershipRule | string {
  const { rule, error } = parseMembershipRule(text);
  if (rule === undefined)
    return `can't be read: ${error.message} (at character ${String(error.position + 1)})`;
  return rule.subject === 'user' ? rule : 'is about devices, and people sign in';
}

/** Whether a value is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether a value is the path of an app: `/admin`. */
export function isPath(value: unknown): value is string {
  return isText(value) && value.startsWith('/');
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
