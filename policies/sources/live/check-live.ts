import { appendAll } from '../../../core/values/append.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import {
  liveCatalogueRule,
  type LiveReport,
  type LiveRule,
  type LiveGroupSubject,
} from '../../engine/live-rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import { liveRules } from '../../rules/live/index.js';
import type { PlanCheckOptions } from '../plan/plan-check-options.js';
import { declarationChecker } from '../plan/declaration-checker.js';
import { liveSignInDrift } from '../../rules/live/live-sign-in-drift.js';
import { checkLiveItems } from './check-live-items.js';
import { checkLiveSignIn } from './check-live-sign-in.js';
import { liveDeclaration } from './live-declaration.js';
import type { GroupNames, LiveObject, LiveOwner, LiveReader } from '../../model/live-reader.js';

/** The most concurrent requests for groups: fast, and far below the directory's limits. */
const concurrency = 8;

/** The most members that are compared: no declaration lists more. */
const maxMembers = 5000;

/** The results of comparing a stack with the directory. */
export interface LiveCheck {
  readonly findings: readonly Finding[];
  /** The live groups in the form of declarations, by `groups.NAME`. */
  readonly liveGroups: ReadonlyMap<string, Declaration>;
}

/**
 * Compares the declared groups of a stack with the live directory: by the live rules, and by the
 * rules about declarations, for which a live group is converted to a declaration. Declared
 * workspaces and items are compared with the live ones.
 */
export async function checkLive(
  index: StackIndex,
  reader: LiveReader,
  options: Pick<PlanCheckOptions, 'rules' | 'ruleOptions' | 'now'> & {
    readonly liveIds?: ReadonlyMap<string, string> | undefined;
  },
): Promise<LiveCheck> {
  const enabledRules = new Set(options.rules.map(({ id }) => id));
  const activeRules = liveRules.filter(({ id }) => enabledRules.has(id));
  const liveGroups = new Map<string, Declaration>();
  const checkDeclaration = declarationChecker({
    ...options,
    rules: options.rules.filter(({ id }) => !rulesWithLiveRule.has(id)),
    locate: index.locate,
  });
  const ids = options.liveIds ?? new Map<string, string>();
  const checkGroup = groupChecker(
    { index, reader: cachingReader(reader), ids },
    activeRules,
    (live) => {
      liveGroups.set(`groups.${live.name}`, live);
      return checkDeclaration(live).filter(({ verdict }) => verdict === 'fail');
    },
  );
  const groups = index.all('groups');
  const findings: Finding[] = [];
  for (let start = 0; start < groups.length; start += concurrency)
    appendAll(
      findings,
      (await Promise.all(groups.slice(start, start + concurrency).map(checkGroup))).flat(),
    );
  if (reader.items !== undefined)
    appendAll(findings, await checkLiveItems(index, reader.items, { enabled: enabledRules, ids }));
  if (reader.apps !== undefined && enabledRules.has(liveSignInDrift.id))
    appendAll(findings, await checkLiveSignIn(index, reader.apps, ids));
  return { findings, liveGroups };
}

/** Rules about declarations that a live rule replaces, since it knows more. */
const rulesWithLiveRule: ReadonlySet<string> = new Set(['group-two-owners']);

/** A reader that requests the authentication methods of each user once. */
function cachingReader(reader: LiveReader): LiveReader {
  const answers = new Map<string, Promise<readonly string[] | undefined>>();
  const authenticationMethods = (userId: string): Promise<readonly string[] | undefined> => {
    const answer = answers.get(userId) ?? reader.authenticationMethods(userId);
    answers.set(userId, answer);
    return answer;
  };
  return {
    findGroup: (names) => reader.findGroup(names),
    owners: (groupId) => reader.owners(groupId),
    members: (groupId, maxCount) => reader.members(groupId, maxCount),
    authenticationMethods,
  };
}

/** Where to look for groups, and their known values. */
interface Search {
  readonly index: StackIndex;
  readonly reader: LiveReader;
  /** The ids in a state, by `groups.sales`. */
  readonly ids: ReadonlyMap<string, string>;
}

function groupChecker(
  { index, reader, ids }: Search,
  rules: readonly LiveRule[],
  checkAsDeclaration: (live: Declaration<'groups'>) => readonly Finding[],
) {
  return async (declaration: Declaration<'groups'>): Promise<readonly Finding[]> => {
    const names = namesOf(declaration, ids.get(`groups.${declaration.name}`));
    if (names === undefined)
      return rules.map((rule) => unknownFinding(rule, {}, 'its name is not known yet'));
    const group = await reader.findGroup(names);
    const owners = group === undefined ? [] : await reader.owners(group.id);
    const subject: LiveGroupSubject = {
      declaration,
      group,
      owners,
      members: () =>
        group === undefined ? Promise.resolve([]) : reader.members(group.id, maxMembers),
      refersTo: (declared, object) => refersTo(index, declared, object),
      isIdentified: (declared) => identifiersOf(index, declared).length > 0,
      authenticationMethods: ({ id }) => reader.authenticationMethods(id),
      ownerPath: (owner) => ownerPath(index, declaration, owner),
    };
    const origin = group === undefined ? {} : { liveId: group.id };
    const findings: Finding[] =
      group === undefined
        ? []
        : [...checkAsDeclaration(liveDeclaration(declaration.name, group, owners))];
    for (const rule of rules)
      await rule.check(subject, (report) => {
        const { unknownBecause: why } = report;
        const findingSubject = { path: ['groups', declaration.name], origin };
        findings.push(
          why === undefined
            ? makeFinding(liveCatalogueRule(rule), report, findingSubject, index.locate)
            : unknownFinding(rule, report, why, origin),
        );
      });
    return findings;

    function unknownFinding(
      rule: LiveRule,
      { path = [] }: Pick<LiveReport, 'path'>,
      why: string,
      origin = {},
    ): Finding {
      const findingSubject = { path: ['groups', declaration.name], origin };
      const finding = makeUnknownFinding(
        liveCatalogueRule(rule),
        { path, value: undefined },
        findingSubject,
        index.locate,
      );
      return {
        ...finding,
        message: `${path.join('.') || declaration.name} can't be judged: ${why}`,
      };
    }
  };
}

/** The path of an owner: its index in the declaration, or its name if it is not declared. */
function ownerPath(
  index: StackIndex,
  { value }: Declaration<'groups'>,
  owner: LiveOwner,
): ConfigPath {
  const position = (value.owners ?? []).findIndex((declared) => refersTo(index, declared, owner));
  return ['owners', position === -1 ? owner.name : position];
}

/** Whether a declared owner or member, a name or an object id, refers to a live object. */
function refersTo(index: StackIndex, declared: string, { id, names }: LiveObject): boolean {
  return identifiersOf(index, declared).some(
    (each) =>
      each.toLowerCase() === id.toLowerCase() ||
      names.some((name) => name.toLowerCase() === each.toLowerCase()),
  );
}

/**
 * The names and ids that a declared owner or member may have in the directory; none if they are not
 * known yet.
 */
function identifiersOf(index: StackIndex, declared: string): readonly string[] {
  const principal = index.find('principals', declared);
  const group = index.find('groups', declared);
  if (principal === undefined && group === undefined) return [declared];
  const { groupKind: _kind, ...principalValues } = principal?.value ?? {};
  return [
    ...Object.entries(principalValues).flatMap(([property, value]) =>
      typeof value === 'string' && isKnown(principal, property) ? [value] : [],
    ),
    ...(group !== undefined && isKnown(group, 'mailNickname')
      ? [group.value.mailNickname ?? group.name]
      : []),
  ];
}

function isKnown(declaration: Declaration | undefined, property: string): boolean {
  return declaration?.unknownPaths.every(([first]) => first !== property) === true;
}

/** The known values that identify a group in the directory; undefined if there are none yet. */
function namesOf(
  declaration: Declaration<'groups'>,
  id: string | undefined,
): GroupNames | undefined {
  const { name, value } = declaration;
  const hasDisplayName =
    isKnown(declaration, 'displayName') && typeof value.displayName === 'string';
  const names = {
    ...omitUndefined({ id }),
    ...(isKnown(declaration, 'mailNickname') && { mailNickname: value.mailNickname ?? name }),
    ...(hasDisplayName && { displayName: value.displayName }),
  };
  return Object.keys(names).length === 0 ? undefined : names;
}
