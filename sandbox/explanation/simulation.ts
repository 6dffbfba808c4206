import { decideVisit, type Visit } from '../../access/answer/visit.js';
import type { DirectoryGet } from '../../access/directory/read-person.js';
import type { DirectorySnapshot, PersonRecord } from '../../access/directory/records.js';
import { modelOfApps, type AccessModel } from '../../access/model.js';
import { directoryWithOnly, type ExamplePerson } from '../../access/prove/example-person.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { ruleProperties } from '../../kinds/membership-rule/index.js';
import { propertyGetter } from '../../kinds/membership-rule/prove/index.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { appAccessOf, readDirectorySnapshot } from './app-access.js';
import type { SourceLink, SourceLinks } from './source-links.js';
import { propertyValues } from './property-values.js';
import { firstNameOf, requiredGroups, outcomeSentence } from './outcome-sentence.js';
import { ruleConditions, type Step, stepsOf } from './steps.js';

/** The visit to simulate: who requests which path of which app. */
export interface SimulatedVisit {
  readonly app: SignInTarget;
  readonly path: string;
  /** The id or user principal name of a person; undefined for somebody who isn't signed in. */
  readonly person?: string | undefined;
  /**
   * Properties that replace the person's own, by the names that rules use; also `groups` (names,
   * separated by commas), added to the person's own, and `role` (`true` for a role of the app).
   */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A property of people that the rules in front of an app read. */
export interface RuleProperty {
  /** As rules name it: `department`; or `groups` or `role`, fields of the simulator. */
  readonly name: string;
  /** The person's present value. */
  readonly value?: string;
}

/** A change after which the person gets in. */
export interface AccessRemedy {
  /** The change in words: `Add Ada to Shoppers`. */
  readonly text: string;
  /** Properties of the person to set; with them, the person was simulated to get in. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The line of the configuration to change. */
  readonly place?: SourceLink;
}

/** The answer to a simulated visit, step by step. */
export interface Simulation {
  /** The app's name. */
  readonly app: string;
  readonly path: string;
  /** Undefined for somebody who isn't signed in, or isn't in the directory. */
  readonly person?: { readonly id: string; readonly name: string };
  /** The properties that replaced the person's own, as in {@link SimulatedVisit}. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly allowed: boolean | 'unknown';
  /** The status of the response; 200 stands for the app's own. */
  readonly status?: number;
  /** The reason in one sentence. */
  readonly sentence: string;
  readonly steps: readonly Step[];
  /** Empty unless a known person or a described one is refused. */
  readonly remedies: readonly AccessRemedy[];
  /** The properties that decide about the app: what a form asks for. */
  readonly asked: readonly RuleProperty[];
}

/** What a simulation reads. */
export interface SimulationContext {
  readonly readDirectory: DirectoryGet;
  readonly sourceLinks: SourceLinks;
  readonly tenantId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Simulates a visit by the decisions of the sign-in layer and the rules of the directory. */
export async function simulate(
  simulatedVisit: SimulatedVisit,
  context: SimulationContext,
): Promise<Simulation> {
  const { app, path, person, attributes = {} } = simulatedVisit;
  const { sourceLinks, now } = context;
  const snapshot = await readDirectorySnapshot(app, context, person);
  const [existingPerson] = snapshot.people;
  const hasPerson = person !== undefined || Object.keys(attributes).length > 0;
  const decide = (fields: SimulatorFields): { model: AccessModel; visit: Visit } => {
    const isUnchanged = existingPerson !== undefined && Object.keys(fields).length === 0;
    const directory =
      !hasPerson || isUnchanged
        ? snapshot
        : directoryWithOnly(snapshot, {
            ...examplePersonOf(fields, app, snapshot),
            ...omitUndefined({ basedOn: existingPerson }),
          });
    const model = modelOfApps([appAccessOf(app, directory)], directory, { now });
    const [modelApp] = model.apps;
    if (modelApp === undefined) throw new TypeError(`${app.name} is not in its own model`);
    return { model, visit: decideVisit(model, modelApp, path, hasPerson ? 0 : undefined) };
  };
  const { model, visit } = decide(attributes);
  const visitor = hasPerson ? model.memberships.person(0) : undefined;
  const { allowed, status } = visit.answer;
  const getsInWith = (change: SimulatorFields): boolean =>
    decide({ ...attributes, ...change }).visit.answer.allowed === true;
  return {
    app: app.name,
    path,
    ...(existingPerson !== undefined && {
      person: {
        id: existingPerson.id,
        name: existingPerson.body.displayName ?? existingPerson.body.userPrincipalName ?? '',
      },
    }),
    attributes,
    allowed,
    ...omitUndefined({ status }),
    sentence: outcomeSentence(visit, model, visitor),
    steps: stepsOf(visit, model, sourceLinks),
    remedies:
      visitor === undefined || allowed !== false
        ? []
        : remediesOf({ visit, model, visitor, sourceLinks }, getsInWith),
    asked: askedProperties(model, existingPerson),
  };
}

/** The fields of the simulator's form: properties by the names that rules use, `groups`, `role`. */
type SimulatorFields = Readonly<Record<string, string>>;

/** The person whom the fields describe. */
function examplePersonOf(
  { groups = '', role = '', ...attributes }: SimulatorFields,
  app: SignInTarget,
  snapshot: DirectorySnapshot,
): ExamplePerson {
  const names = groups.split(',').map((name) => name.trim().toLowerCase());
  const { clientId } = appAccessOf(app, snapshot).directorySignIn?.settings ?? {};
  return {
    attributes: propertyValues(attributes),
    groups: snapshot.groups
      .filter(({ displayName }) => names.includes(displayName.toLowerCase()))
      .map(({ id }) => id),
    assignedApplications: role.toLowerCase() === 'true' && clientId !== undefined ? [clientId] : [],
  };
}

/** What decides about an app: properties that rules read, groups that list members, a role. */
function askedProperties(
  { memberships, apps }: AccessModel,
  person: PersonRecord | undefined,
): readonly RuleProperty[] {
  const names = memberships.groups.flatMap(({ rule }) =>
    rule === undefined || rule.subject !== 'user' ? [] : ruleProperties(rule.parsed),
  );
  const hasListedMembers = memberships.groups.some(({ rule }) => rule === undefined);
  const needsRole = apps.some(
    ({ directorySignIn }) => directorySignIn?.application.assignmentRequired === true,
  );
  return [
    ...[...new Set([...names, 'accountEnabled'])].map((name) => {
      const value = person === undefined ? undefined : propertyGetter('user', name)(person);
      return value === undefined || value === null ? { name } : { name, value: String(value) };
    }),
    ...(hasListedMembers ? [{ name: 'groups' }] : []),
    ...(needsRole ? [{ name: 'role' }] : []),
  ];
}

interface RefusedVisit {
  readonly visit: Visit;
  readonly model: AccessModel;
  readonly visitor: PersonRecord;
  readonly sourceLinks: SourceLinks;
}

/** The remedies of a refusal; none where neither the policy nor a path's requirement refuses. */
function remediesOf(
  refusedVisit: RefusedVisit,
  getsInWith: (change: SimulatorFields) => boolean,
): readonly AccessRemedy[] {
  const { decidedBy } = refusedVisit.visit.answer;
  if (decidedBy === 'requirement') return pathRemedies(refusedVisit);
  return decidedBy === 'policy' ? policyRemedies(refusedVisit, getsInWith) : [];
}

/** The remedies for a person who is let in, but not at this path. */
function pathRemedies({
  visit,
  model,
  visitor,
  sourceLinks,
}: RefusedVisit): readonly AccessRemedy[] {
  const who = firstNameOf(visitor);
  const groupChanges = requiredGroups(visit, model).map(
    ({ record: { displayName }, rule }): AccessRemedy => {
      const [text, place] =
        rule === undefined
          ? [`Add ${who} to ${displayName}`, sourceLinks.ofGroup(displayName, 'members')]
          : [
              `Change the rule of ${displayName}`,
              sourceLinks.ofGroup(displayName, 'dynamicMembership'),
            ];
      return { text, ...omitUndefined({ place }) };
    },
  );
  const place = sourceLinks.ofApp(visit.app.name, 'auth', 'requirements');
  return [
    ...groupChanges,
    { text: `Change what ${visit.path} needs`, ...omitUndefined({ place }) },
  ];
}

/** The remedies for a person whom the policy of the directory's provider refuses. */
function policyRemedies(
  { visit: { app, chain }, model, visitor, sourceLinks }: RefusedVisit,
  getsInWith: (change: SimulatorFields) => boolean,
): readonly AccessRemedy[] {
  const who = firstNameOf(visitor);
  const withPlace = (place: SourceLink | undefined) => omitUndefined({ place });
  const failedLinks = chain.filter(({ verdict }) => verdict === 'fail');
  const failedRules = failedLinks.filter(({ kind }) => kind === 'rule');
  const ruleRemedies = failedRules.flatMap(({ name }): AccessRemedy[] => {
    const conditions = ruleConditions(model, name);
    const change = Object.fromEntries(
      conditions.flatMap(({ property, value }) => (value === undefined ? [] : [[property, value]])),
    );
    const settings = Object.entries(change).map(([property, value]) => `${property} to ${value}`);
    const ruleChange = {
      text: `Change the rule of ${name}`,
      ...withPlace(sourceLinks.ofGroup(name, 'dynamicMembership', 'rule')),
    };
    if (settings.length === 0 || !getsInWith(change)) return [ruleChange];
    return [{ text: `Set ${settings.join(', ')} for ${who}`, attributes: change }, ruleChange];
  });
  const groupsWithListedMembers = failedLinks.filter(
    ({ kind, name }) =>
      kind === 'group' &&
      model.memberships.groups.some(({ record }) => record.displayName === name) &&
      !failedRules.some((rule) => rule.name === name),
  );
  const policy = sourceLinks.ofApp(app.name, 'auth', 'providers', 'directory', 'allowedGroups');
  return [
    ...ruleRemedies,
    ...groupsWithListedMembers.map(({ name }) => ({
      text: `Add ${who} to ${name}`,
      ...withPlace(sourceLinks.ofGroup(name, 'members')),
    })),
    { text: `Let another group, or ${who} by name, into ${app.name}`, ...withPlace(policy) },
  ];
}
