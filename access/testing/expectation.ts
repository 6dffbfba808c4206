import { isCastellanError } from '../../core/errors/castellan-error.js';
import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { findPersonIndex } from '../answer/find-person.js';
import { accessOverview } from '../answer/overview.js';
import { chainText, countNoun } from '../answer/report.js';
import { unlistedVisitors } from '../answer/unlisted-visitors.js';
import { decideVisit } from '../answer/visit.js';
import type { Group } from '../directory/group.js';
import type { MembershipRule } from '../../kinds/membership-rule/index.js';
import type { AccessModel } from '../model.js';
import type { ProofExample, ProofOptions } from '../prove/proof.js';
import { findViolation } from '../prove/invariant-violation.js';
import type { InvariantViolation } from '../prove/path-invariant.js';
import {
  type Invariant,
  invariantKeys,
  isInvariant,
  isPath,
  isText,
  parseInvariant,
} from './invariant.js';
import type { AppAccess } from '../stack/apps.js';
import { findDeclared } from '../stack/reference-resolver.js';

/** A failed expectation: a sentence, and the chain from visitor to app if there is one. */
interface FailedExpectation {
  readonly message: string;
  readonly chain?: string;
  /** Whether the app, a group or a person that it names does not exist. */
  readonly isAboutMissing?: boolean;
  /** For an invariant: whether it fails for somebody, or can't be proved. */
  readonly verdict?: InvariantViolation['verdict'];
  /** For an invariant: somebody for whom it fails. */
  readonly example?: ProofExample;
}

/**
 * Checks an expectation; undefined if it passes.
 *
 * @param proofOptions options of proofs, and the rules that are assumed to hold for everybody
 */
export function checkExpectation(
  expectation: ParsedExpectation,
  model: AccessModel,
  configs: readonly StackConfig[],
  proofOptions: ProofOptions & { readonly assumed: readonly MembershipRule[] },
): FailedExpectation | undefined {
  try {
    switch (expectation.kind) {
      case 'visit':
        return checkVisit(expectation, model, configs);
      case 'size':
        return checkSize(expectation, model, configs);
      case 'only':
        return checkOnly(expectation, model, configs);
      case 'invariant':
        return checkInvariant(expectation.invariant, model, configs, proofOptions);
    }
  } catch (error) {
    if (!isCastellanError(error)) throw error;
    return { message: error.message, isAboutMissing: error.code === 'CAS8301' };
  }
}

function checkVisit(
  { app, person, path, expect }: Extract<ParsedExpectation, { kind: 'visit' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): FailedExpectation | undefined {
  const access = findApp(app, model);
  if (access === undefined) return unknownApp(app, model);
  const personIndex =
    person === undefined ? undefined : findPersonIndex(person, model.memberships, configs);
  const { answer, chain } = decideVisit(model, access, path, personIndex);
  const actualOutcome =
    answer.allowed === true ? 'allowed' : answer.allowed === false ? 'denied' : 'unknown';
  if (actualOutcome === expect) return undefined;
  const who = person ?? 'a browser without a session';
  const status = answer.status === undefined ? '' : ` (${String(answer.status)})`;
  return {
    message: `${who} at ${app}${path}: expected ${expect}, is ${actualOutcome}${status}`,
    chain: chainText(chain),
  };
}

function checkSize(
  { app, group, atMost, atLeast }: Extract<ParsedExpectation, { kind: 'size' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): FailedExpectation | undefined {
  let counted: CountedPeople;
  if (group !== undefined) {
    const match = findGroup(group, model, configs);
    if (match === undefined) return unknownGroup(group, model, configs);
    counted = countMembers(match, model);
  } else {
    const access = findApp(app ?? '', model);
    if (access === undefined) return unknownApp(app ?? '', model);
    counted = countEntrants(access, model);
  }
  const { count, others } = counted;
  const subject = group === undefined ? `${app ?? ''} lets in` : `the group ${group} has`;
  if (atMost !== undefined && count > atMost)
    return {
      message: `${subject} ${countNoun(count, 'person', 'people')}, expected at most ${String(atMost)}`,
    };
  if (atMost !== undefined && others !== undefined && count + others.atMost > atMost)
    return { message: `${subject} ${others.who}, expected at most ${String(atMost)}` };
  if (atLeast !== undefined && count < atLeast)
    return {
      message: `${subject} ${countNoun(count, 'person', 'people')}, expected at least ${String(atLeast)}`,
    };
  return undefined;
}

/** How many people are known to get in or to be members, and who else may. */
interface CountedPeople {
  readonly count: number;
  /** Undefined if all are known; `atMost` is infinite where nobody can count them. */
  readonly others?: { readonly who: string; readonly atMost: number } | undefined;
}

function countMembers(group: Group, { memberships }: AccessModel): CountedPeople {
  return {
    count: memberships.allMembers(group).count,
    others: memberships.hasUnknownMembers(group)
      ? { who: 'members who are not known', atMost: Infinity }
      : undefined,
  };
}

function countEntrants(app: AppAccess, model: AccessModel): CountedPeople {
  const [overview] = accessOverview(model, [app]);
  if (overview === undefined) return { count: 0 };
  const { admitted, unknown } = overview.entrants;
  const unlisted = unlistedVisitors(app, model.memberships);
  const known = countNoun(admitted.count, 'person', 'people');
  const others =
    unlisted?.atMost === Infinity
      ? unlisted
      : {
          who: [
            known,
            ...(unknown.count > 0
              ? [`${countNoun(unknown.count, 'person', 'people')} perhaps`]
              : []),
            ...(unlisted === undefined ? [] : [unlisted.who]),
          ].join(', and '),
          atMost: unknown.count + (unlisted?.atMost ?? 0),
        };
  return { count: admitted.count, others };
}

function checkOnly(
  { app, only }: Extract<ParsedExpectation, { kind: 'only' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): FailedExpectation | undefined {
  const access = findApp(app, model);
  if (access === undefined) return unknownApp(app, model);
  const [overview] = accessOverview(model, [access]);
  if (overview === undefined) return undefined;
  const { memberships } = model;
  const groups: Group[] = [];
  const people = new Set<number>();
  for (const each of only) {
    const [group, ...others] = findGroups(each, model, configs);
    if (others.length > 0) return unknownGroup(each, model, configs);
    if (group === undefined) people.add(findPersonIndex(each, memberships, configs));
    else groups.push(group);
  }
  const unlisted = unlistedVisitors(access, memberships, groups);
  if (unlisted !== undefined)
    return { message: `${app} lets in ${unlisted.who}, expected only ${only.join(', ')}` };
  if (overview.entrants.unknown.count > 0)
    return {
      message: `of ${countNoun(overview.entrants.unknown.count, 'person', 'people')} it is not known whether ${app} lets them in, expected only ${only.join(', ')}`,
    };
  const unexpectedPeople = [...overview.entrants.admitted].filter(
    (personIndex) =>
      !people.has(personIndex) &&
      !groups.some((group) => memberships.allMembers(group).has(personIndex)),
  );
  const [first] = unexpectedPeople;
  if (first === undefined) return undefined;
  const { chain, person } = decideVisit(model, access, '/', first);
  const more =
    unexpectedPeople.length > 1 ? ` and ${String(unexpectedPeople.length - 1)} more` : '';
  return {
    message: `${app} lets in ${person ?? ''}${more}, expected only ${only.join(', ')}`,
    chain: chainText(chain),
  };
}

function checkInvariant(
  invariant: Invariant,
  model: AccessModel,
  configs: readonly StackConfig[],
  { assumed, ...options }: Parameters<typeof checkExpectation>[3],
): FailedExpectation | undefined {
  const app = 'app' in invariant ? findApp(invariant.app, model) : undefined;
  if ('app' in invariant && app === undefined) return unknownApp(invariant.app, model);
  const groups: Group[] = [];
  for (const name of groupsNamedBy(invariant)) {
    const group = findGroup(name, model, configs);
    if (group === undefined) return unknownGroup(name, model, configs);
    groups.push(group);
  }
  return findViolation({ invariant, groups, ...omitUndefined({ app }) }, model, assumed, options);
}

function groupsNamedBy(invariant: Invariant): readonly string[] {
  switch (invariant.kind) {
    case 'disjoint':
      return invariant.groups;
    case 'within':
      return [invariant.group, invariant.within];
    case 'equivalent':
      return [invariant.group];
    default:
      return [];
  }
}

/** The app of this name, or with this name behind that of its stack; undefined if several have it. */
function findApp(name: string, { apps }: AccessModel): AppAccess | undefined {
  const [app, ...others] = apps.filter((each) => each.name === name);
  return app !== undefined && others.length === 0
    ? app
    : apps.find((each) => nameWithStack(each) === name);
}

function nameWithStack({ stack, name }: AppAccess): string {
  return `${stack}/${name}`;
}

/** Why no app is found by a name. */
function unknownApp(name: string, { apps }: AccessModel): FailedExpectation {
  const namesakes = apps.filter((each) => each.name === name);
  return {
    message:
      namesakes.length === 0
        ? `there is no app "${name}": there are ${apps.map((app) => app.name).join(', ') || 'none'}`
        : `several stacks have an app "${name}": write ${namesakes.map(nameWithStack).join(' or ')}`,
    isAboutMissing: namesakes.length === 0,
  };
}

/** The only group of this name; undefined if there is none, or several have it. */
function findGroup(
  name: string,
  model: AccessModel,
  configs: readonly StackConfig[],
): Group | undefined {
  const [group, ...others] = findGroups(name, model, configs);
  return others.length === 0 ? group : undefined;
}

/**
 * The groups by the stack's name, or this name behind that of its stack; where no stack declares
 * one, by the name of a principal, by id or display name.
 */
function findGroups(
  name: string,
  { memberships }: AccessModel,
  configs: readonly StackConfig[],
): readonly Group[] {
  const declared = memberships.groups.filter(
    ({ record }) => record.declaredName === name || groupWithStack(record) === name,
  );
  if (declared.length > 0) return declared;
  const groupsOfPrincipals = configs.flatMap(
    ({ principals }) => findDeclared(principals, name)?.group ?? [],
  );
  const idsOrDisplayNames = groupsOfPrincipals.length > 0 ? groupsOfPrincipals : [name];
  const found = idsOrDisplayNames.flatMap((text) => {
    const groupById = memberships.group(text);
    return groupById === undefined
      ? memberships.groups.filter(
          ({ record }) => record.displayName.toLowerCase() === text.toLowerCase(),
        )
      : [groupById];
  });
  return [...new Set(found)];
}

function groupWithStack({ stack, declaredName }: Group['record']): string | undefined {
  return stack === undefined ? undefined : `${stack}/${declaredName ?? ''}`;
}

/** Why no group is found by a name. */
function unknownGroup(
  name: string,
  model: AccessModel,
  configs: readonly StackConfig[],
): FailedExpectation {
  const namesakes = findGroups(name, model, configs);
  if (namesakes.length === 0)
    return { message: `there is no group "${name}"`, isAboutMissing: true };
  const names = namesakes.map(({ record }) => groupWithStack(record) ?? record.id).sort();
  const problem = namesakes.every(({ record }) => record.declaredName === name)
    ? `several stacks have a group "${name}"`
    : `several groups are called "${name}"`;
  return { message: `${problem}: write ${names.join(' or ')}` };
}

/** An expectation of an access test, as written. */
export interface Expectation {
  /** The app, behind its stack where several stacks have one of this name: `shop/storefront`. */
  readonly app?: string;
  /** Who visits the app: a user principal name, an id, or a name that only one person has. */
  readonly person?: string;
  /** `true`: a browser without a session visits the app. */
  readonly anonymous?: boolean;
  /** @default / */
  readonly path?: string;
  /**
   * The stack's name of a group, behind its stack where several have one of this name
   * (`shop/staff`), its display name or id; its members are counted.
   */
  readonly group?: string;
  /** Groups or people: everyone who gets in must be among them. */
  readonly only?: readonly string[];
  /** `allowed`, `denied` or `unknown`, or the number of people: `{ at most: 500 }`. */
  readonly expect?: unknown;
}

const outcomes = ['allowed', 'denied', 'unknown'] as const;

type RawExpectation = { readonly [Key in keyof Expectation]: unknown };

/** An expectation after parsing. */
type ParsedExpectation =
  | {
      readonly kind: 'visit';
      readonly app: string;
      /** Undefined for a browser without a session. */
      readonly person: string | undefined;
      readonly path: string;
      readonly expect: (typeof outcomes)[number];
    }
  | {
      readonly kind: 'size';
      /** The group whose members are counted; undefined where an app's visitors are. */
      readonly group?: string;
      /** The app whose admitted people are counted; undefined where a group is counted. */
      readonly app?: string;
      readonly atMost: number | undefined;
      readonly atLeast: number | undefined;
    }
  | { readonly kind: 'only'; readonly app: string; readonly only: readonly string[] }
  | { readonly kind: 'invariant'; readonly invariant: Invariant };

const expectationKeys = [
  'app',
  'person',
  'anonymous',
  'path',
  'group',
  'only',
  'expect',
  'name',
  ...Object.keys(invariantKeys),
];

/** Parses an expectation. @returns its mistake as a sentence, if it has one */
export function parseExpectation(value: unknown): ParsedExpectation | string {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return 'an expectation is a map such as { app: shop, person: ada, expect: allowed }';
  const unexpectedKey = Object.keys(value).find((key) => !expectationKeys.includes(key));
  if (unexpectedKey !== undefined)
    return `"${unexpectedKey}" is no part of an expectation: allowed are ${expectationKeys.join(', ')}`;
  const mistake = strayKeyMistake(value);
  if (mistake !== undefined) return mistake;
  if (isInvariant(value)) {
    const invariant = parseInvariant(value);
    return typeof invariant === 'string' ? invariant : { kind: 'invariant', invariant };
  }
  const { app, person, anonymous, path = '/', group, only, expect } = value as RawExpectation;
  if (only !== undefined)
    return isText(app) && Array.isArray(only) && only.every(isText)
      ? { kind: 'only', app, only }
      : 'only needs an app and a list: { app: admin, only: [staff] }';
  if (isObject(expect)) return parseSize({ app, group }, expect);
  const visitor = isText(person) ? person : undefined;
  const isOneVisitor = person === visitor && (visitor === undefined) === (anonymous === true);
  if (!isText(app) || !isOneVisitor)
    return 'an expectation names an app and a person, or anonymous: true; or a group and { at most: 500 }';
  if (!isPath(path)) return `a path begins with a slash, not ${JSON.stringify(path)}`;
  const expectedOutcome = outcomes.find((each) => each === expect);
  if (expectedOutcome === undefined)
    return `expect is ${outcomes.join(', ')}, not ${JSON.stringify(expect)}`;
  return { kind: 'visit', app, person: visitor, path, expect: expectedOutcome };
}

/** A key that an expectation of this form does not use, as a mistake: it would not be tested. */
function strayKeyMistake(value: object): string | undefined {
  const [form, keys] = formOf(value);
  const strayKey = Object.keys(value).find((key) => key !== 'name' && !keys.includes(key));
  return strayKey && `"${strayKey}" has no effect beside ${form}: remove it`;
}

/** The form of an expectation, as messages name it, and the keys that it may have. */
function formOf(value: object): readonly [form: string, keys: readonly string[]] {
  const { only, expect } = value as RawExpectation;
  for (const [key, otherKeys] of Object.entries(invariantKeys))
    if (key in value) return [key, [key, ...otherKeys]];
  if (only !== undefined) return ['only', ['app', 'only', ...(isText(only) ? ['path'] : [])]];
  return isObject(expect)
    ? ['a number of people', ['app', 'group', 'expect']]
    : ['expect', ['app', 'person', 'anonymous', 'path', 'expect']];
}

function parseSize(
  { app, group }: Pick<RawExpectation, 'app' | 'group'>,
  expect: Readonly<Record<string, unknown>>,
): ParsedExpectation | string {
  const { 'at most': atMost, 'at least': atLeast, ...otherKeys } = expect;
  const isOptionalCount = (value: unknown): value is number | undefined =>
    value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
  if (
    Object.keys(otherKeys).length > 0 ||
    !isOptionalCount(atMost) ||
    !isOptionalCount(atLeast) ||
    (atMost === undefined && atLeast === undefined)
  )
    return 'a number of people is expected by { at most: 500 } and { at least: 1 }';
  const limits = { kind: 'size', atMost, atLeast } as const;
  if (isText(app) && group === undefined) return { ...limits, app };
  if (isText(group) && app === undefined) return { ...limits, group };
  return 'a number of people is expected of one group or of one app';
}
