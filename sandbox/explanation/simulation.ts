import { decideVisit, type Visit } from '../../access/answer/visit.js';
import type { AskDirectory } from '../../access/directory/read-person.js';
import type { DirectorySnapshot, PersonRecord } from '../../access/directory/records.js';
import { modelOf, type AccessModel } from '../../access/model.js';
import { directoryOf, type ExamplePerson } from '../../access/prove/example-person.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { ruleProperties } from '../../kinds/membership-rule/index.js';
import { readerOf } from '../../kinds/membership-rule/prove/index.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { appAccessOf, readAccessModel } from './app-access.js';
import type { SourceLink, SourceLinks } from './source-links.js';
import { propertyValues } from './property-values.js';
import { firstNameOf, requiredGroups, outcomeSentence } from './outcome-sentence.js';
import { conditionsOf, type Step, stepsOf } from './steps.js';

/** Who asks an app for what. */
export interface AccessQuestion {
  readonly app: SignInTarget;
  readonly path: string;
  /** The id or user principal name of a person; undefined for somebody who isn't signed in. */
  readonly person?: string | undefined;
  /**
   * What the person's properties would be, by the names that rules use; `groups` (names, separated
   * by commas) in addition to those that he is in, and whether he has a `role` (`true`).
   */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A property of people that the rules in front of an app read. */
export interface RuleProperty {
  readonly name: string;
  /** The person's present value. */
  readonly value?: string;
}

/** A change after which the person gets in. */
export interface AccessRemedy {
  readonly text: string;
  /** Properties of the person to set, which the directory confirms to be enough. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly place?: SourceLink;
}

/** The answer to a question, step by step. */
export interface Simulation {
  readonly app: string;
  readonly path: string;
  readonly person?: { readonly id: string; readonly name: string };
  readonly attributes: Readonly<Record<string, string>>;
  readonly allowed: boolean | 'unknown';
  /** What the browser gets; 200 is the app's own answer. */
  readonly status?: number;
  /** The reason in one sentence. */
  readonly sentence: string;
  readonly steps: readonly Step[];
  readonly remedies: readonly AccessRemedy[];
  readonly asked: readonly RuleProperty[];
}

/** What a simulation reads. */
export interface SimulationContext {
  readonly ask: AskDirectory;
  readonly places: SourceLinks;
  readonly tenantId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Answers a question by the decisions of the sign-in layer and the rules of the directory. */
export async function simulate(
  question: AccessQuestion,
  context: SimulationContext,
): Promise<Simulation> {
  const { app, path, person, attributes = {} } = question;
  const { places, now } = context;
  const read = await readAccessModel(app, context, person);
  const [like] = read.people;
  const isPerson = person !== undefined || Object.keys(attributes).length > 0;
  const ask = (given: Readonly<Record<string, string>>): { model: AccessModel; seen: Visit } => {
    const directory =
      !isPerson || (like !== undefined && Object.keys(given).length === 0)
        ? read
        : directoryOf(read, { ...personOf(given, app, read), ...omitUndefined({ like }) });
    const model = modelOf([appAccessOf(app, directory)], directory, { now });
    const [first] = model.apps;
    if (first === undefined) throw new TypeError(`${app.name} is not in its own model`);
    return { model, seen: decideVisit(model, first, path, isPerson ? 0 : undefined) };
  };
  const { model, seen } = ask(attributes);
  const someone = isPerson ? model.memberships.person(0) : undefined;
  const { allowed, status } = seen.answer;
  return {
    app: app.name,
    path,
    ...(like !== undefined && {
      person: { id: like.id, name: like.body.displayName ?? like.body.userPrincipalName ?? '' },
    }),
    attributes,
    allowed,
    ...omitUndefined({ status }),
    sentence: outcomeSentence(seen, model, someone),
    steps: stepsOf(seen, model, places),
    remedies:
      someone === undefined || seen.answer.allowed !== false
        ? []
        : seen.answer.by === 'requirement'
          ? waysToPath({ seen, model, someone, places })
          : seen.answer.by === 'policy'
            ? remedies(
                { seen, model, someone, places },
                (change) => ask({ ...attributes, ...change }).seen.answer.allowed === true,
              )
            : [],
    asked: askedProperties(model, like),
  };
}

/** Somebody as a form describes him. */
function personOf(
  { groups = '', role = '', ...attributes }: Readonly<Record<string, string>>,
  app: SignInTarget,
  read: DirectorySnapshot,
): ExamplePerson {
  const names = groups.split(',').map((name) => name.trim().toLowerCase());
  const { clientId } = appAccessOf(app, read).directory?.settings ?? {};
  return {
    attributes: propertyValues(attributes),
    groups: read.groups
      .filter(({ displayName }) => names.includes(displayName.toLowerCase()))
      .map(({ id }) => id),
    assigned: role.toLowerCase() === 'true' && clientId !== undefined ? [clientId] : [],
  };
}

/** What decides about an app: properties that rules read, groups that list members, a role. */
function askedProperties(
  { memberships, apps }: AccessModel,
  person: PersonRecord | undefined,
): readonly RuleProperty[] {
  const names = memberships.groups.flatMap(({ rule }) =>
    rule === undefined || rule.subject !== 'user' ? [] : ruleProperties(rule.rule),
  );
  const listing = memberships.groups.some(({ rule }) => rule === undefined);
  const needsRole = apps.some(
    ({ directory }) => directory?.application.assignmentRequired === true,
  );
  return [
    ...[...new Set([...names, 'accountEnabled'])].map((name) => {
      const value = person === undefined ? undefined : readerOf('user', name)(person);
      return value === undefined || value === null ? { name } : { name, value: String(value) };
    }),
    ...(listing ? [{ name: 'groups' }] : []),
    ...(needsRole ? [{ name: 'role' }] : []),
  ];
}

interface Refused {
  readonly seen: Visit;
  readonly model: AccessModel;
  readonly someone: PersonRecord;
  readonly places: SourceLinks;
}

/** Ways for somebody who is let in, but not at this path. */
function waysToPath({ seen, model, someone, places }: Refused): readonly AccessRemedy[] {
  const who = firstNameOf(someone);
  const needed = requiredGroups(seen, model).map(
    ({ record: { displayName }, rule }): AccessRemedy => {
      const [text, place] =
        rule === undefined
          ? [`Add ${who} to ${displayName}`, places.group(displayName, 'members')]
          : [`Change the rule of ${displayName}`, places.group(displayName, 'dynamicMembership')];
      return { text, ...omitUndefined({ place }) };
    },
  );
  const place = places.app(seen.app.name, 'auth', 'requirements');
  return [...needed, { text: `Change what ${seen.path} needs`, ...omitUndefined({ place }) }];
}

function remedies(
  { seen: { app, chain }, model, someone, places }: Refused,
  isEnough: (change: Readonly<Record<string, string>>) => boolean,
): readonly AccessRemedy[] {
  const who = firstNameOf(someone);
  const at = (place: SourceLink | undefined) => (place === undefined ? {} : { place });
  const failed = chain.filter(({ verdict }) => verdict === 'fail');
  const byRule = failed.filter(({ kind }) => kind === 'rule');
  const ways = byRule.flatMap(({ name }): AccessRemedy[] => {
    const conditions = conditionsOf(model, name);
    const change = Object.fromEntries(
      conditions.flatMap(({ property, value }) => (value === undefined ? [] : [[property, value]])),
    );
    const rule = at(places.group(name, 'dynamicMembership', 'rule'));
    const words = Object.entries(change).map(([property, value]) => `${property} to ${value}`);
    const ruleChange = { text: `Change the rule of ${name}`, ...rule };
    if (words.length === 0 || !isEnough(change)) return [ruleChange];
    return [{ text: `Set ${words.join(', ')} for ${who}`, attributes: change }, ruleChange];
  });
  const named = failed.filter(
    ({ kind, name }) =>
      kind === 'group' &&
      model.memberships.groups.some(({ record }) => record.displayName === name) &&
      !byRule.some((rule) => rule.name === name),
  );
  const policy = places.app(app.name, 'auth', 'providers', 'directory', 'allowedGroups');
  return [
    ...ways,
    ...named.map(({ name }) => ({
      text: `Add ${who} to ${name}`,
      ...at(places.group(name, 'members')),
    })),
    { text: `Let another group, or ${who} by name, into ${app.name}`, ...at(policy) },
  ];
}
