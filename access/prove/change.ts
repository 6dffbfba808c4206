import {
  type ExampleAttributes,
  type Formula,
  Prover,
  type Reading,
} from '../../kinds/membership-rule/prove/index.js';
import { anyoneAt, publicPaths } from '../answer/overview.js';
import type { ChainLink } from '../answer/chain-link.js';
import type { Visit } from '../answer/visit.js';
import type { AppChange } from '../compare/compare.js';
import type { Group } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { Doors, nameOf, pathClasses } from './door.js';
import { decide, examplePerson, type ExamplePerson, withoutIdle } from './example-person.js';
import { likeSomebody } from './like-somebody.js';
import { isPublic, pathOnlyIn } from './public-paths.js';

/** Somebody who may exist, for whom the change makes a difference. */
export interface ProofExample {
  /** The attributes that matter, by the names of the rule language; empty for anybody. */
  readonly attributes: ExampleAttributes;
  /** The person of the directory who would be this one with these attributes. */
  readonly like?: string;
  /** Groups without a rule of which he is a member. */
  readonly groups?: readonly string[];
  /** The path that he reaches; if he has not signed in, one that any browser reaches. */
  readonly path?: string;
  /** Whether somebody who has signed in reaches the path, and a browser without a session doesn't. */
  readonly signedIn?: true;
}

/** What a change does to all possible people, in one direction. */
export interface ProofSide {
  /** `none` is proved; `new` has an example, which was replayed. */
  readonly verdict: 'none' | 'new' | 'unknown';
  readonly example?: ProofExample;
  readonly reasons?: readonly string[];
  /** The verdict of each path that needs something else, where the app has requirements by path. */
  readonly paths?: readonly (Pick<ProofSide, 'verdict' | 'example' | 'reasons'> & {
    readonly path: string;
  })[];
  /** What lets him in, in a few words: `the rule of shoppers`. */
  readonly by?: string;
}

/** What a change does to all possible people, known or not. */
export interface DoorProof {
  readonly gain: ProofSide;
  readonly loss: ProofSide;
  /** Whether nobody can get in any more, whoever he may be, and somebody could. */
  readonly isShut: boolean;
}

/** Options of proofs. */
export interface ProofOptions {
  /** Milliseconds since 1970, for rules that ask the time. */
  readonly now: number;
  /** The limit of work for each question, in steps. */
  readonly effort?: number | undefined;
}

/** Two sides of a change, as one side of a proof sees them. */
interface Side {
  readonly app: AppAccess | undefined;
  readonly model: AccessModel;
  readonly doors: Doors;
}

/** Proves for all possible people what a change does to the doors of the apps. */
export function proveChanges(
  changes: readonly AppChange[],
  head: AccessModel,
  base: AccessModel,
  options: ProofOptions,
): ReadonlyMap<AppChange, DoorProof> {
  const prover = new Prover(options);
  const isElsewhere = (id: string): boolean =>
    [head, base].some(({ memberships }) => {
      const record = memberships.group(id)?.record;
      return (
        record !== undefined && (record.declared === undefined || record.membersElsewhere === true)
      );
    });
  const isFree = ({ record }: Group): boolean => isElsewhere(record.id);
  const doors = {
    head: new Doors(prover, head.memberships, isFree),
    base: new Doors(prover, base.memberships, isFree),
  };
  return new Map(
    changes.map((change) => {
      const after = { app: change.head, model: head, doors: doors.head };
      const before = { app: change.base, model: base, doors: doors.base };
      const gain = prove(prover, after, before, options, 'now');
      const loss = prove(prover, before, after, options, 'before');
      return [change, { gain, loss, isShut: isShut(prover, after, before) }];
    }),
  );
}

/** Who gets in on one side and not on the other. */
function prove(
  prover: Prover,
  inside: Side,
  outside: Side,
  options: ProofOptions,
  word: 'now' | 'before',
): ProofSide {
  const { app } = inside;
  if (app === undefined) return { verdict: 'none' };
  if (outside.app !== undefined && publicPaths(outside.app).includes('/*'))
    return { verdict: 'none' };
  const byDirectory = proveByPath(prover, inside, outside, options, word);
  if (byDirectory.verdict === 'new') return byDirectory;
  const path = pathOnlyIn(app, outside.app);
  if (path !== undefined)
    return {
      verdict: 'new',
      example: { attributes: {}, path },
      reasons: [`${word}: a browser without a session reaches ${path}`],
      by: 'excluded from sign-in',
    };
  const elsewhere = proveElsewhere(app, outside.app, word);
  return elsewhere.verdict === 'none' ? byDirectory : elsewhere;
}

/** What the change does at each path that needs something else, and altogether. */
function proveByPath(
  prover: Prover,
  inside: Side,
  outside: Side,
  options: ProofOptions,
  word: 'now' | 'before',
): ProofSide {
  const classes = pathClasses([inside.app, outside.app]);
  const sides = classes.map((path): ProofSide => {
    // browsers without a session are another question
    const isOpen = [inside.app, outside.app].some(
      (app) => app !== undefined && isPublic(app, path),
    );
    if (isOpen) return { verdict: 'none' };
    return proveDirectory(prover, inside, outside, { ...options, path }, word);
  });
  const [only] = sides;
  if (classes.length === 1 && only !== undefined) return only;
  const worst =
    sides.find(({ verdict }) => verdict === 'new') ??
    sides.find(({ verdict }) => verdict === 'unknown');
  const paths = sides.map(({ by: _by, ...side }, at) => ({ path: classes[at] ?? '/', ...side }));
  return { ...(worst ?? { verdict: 'none' }), paths };
}

function proveDirectory(
  prover: Prover,
  inside: Side & { readonly app?: AppAccess | undefined },
  outside: Side,
  { now, path }: ProofOptions & { readonly path: string },
  word: 'now' | 'before',
): ProofSide {
  const { app } = inside;
  if (app === undefined) return { verdict: 'none' };
  const { formulas } = prover.vocabulary;
  const other = word === 'now' ? 'before' : 'now';
  const formula = (reading: Reading): Formula =>
    formulas.and([
      inside.doors.app(app, reading, path),
      outside.app === undefined
        ? formulas.true
        : formulas.not(outside.doors.app(outside.app, reading, path)),
    ]);
  const isIn = (person: ExamplePerson): boolean =>
    decide(app, inside.model, person, now, path).outcome === 'in' &&
    (outside.app === undefined ||
      decide(outside.app, outside.model, person, now, path).outcome !== 'in');
  const answer = prover.ask({ formula, replay: (values) => isIn(examplePerson(values)) });
  if (answer.values === undefined)
    return answer.verdict === 'none'
      ? { verdict: 'none' }
      : { verdict: 'unknown', reasons: answer.why };
  const person =
    likeSomebody(formula, prover, inside.model, isIn) ??
    withoutIdle(examplePerson(answer.values), isIn);
  const { visit } = decide(app, inside.model, person, now, path);
  const reasons = [
    `${word}: ${reasonOf(visit)}`,
    ...(outside.app === undefined
      ? []
      : [`${other}: ${reasonOf(decide(outside.app, outside.model, person, now, path).visit)}`]),
    ...answer.why,
  ];
  return {
    verdict: 'new',
    example: { ...shown(person, inside.model), ...(path === '/' ? {} : { path, signedIn: true }) },
    reasons,
    by: byOf(visit),
  };
}

function shown(person: ExamplePerson, { memberships }: AccessModel): ProofExample {
  const { attributes, groups, assigned, like } = person;
  const names = groups.map((id) => {
    const group = memberships.group(id);
    return group === undefined ? id : nameOf(group);
  });
  return {
    attributes,
    ...(like === undefined ? {} : { like: likeName(like) }),
    ...(names.length === 0 ? {} : { groups: names }),
    ...(assigned.length === 0 ? {} : {}),
  };
}

function likeName({ id, body }: PersonRecord): string {
  return body.userPrincipalName ?? id;
}

/** The links of a chain that decide: rules and groups, otherwise what refuses. */
function reasonOf({ chain }: Visit): string {
  const text = ({ kind, name, value }: ChainLink): string => `${kind} ${name}: ${value}`;
  const deciding = chain.filter(
    ({ kind }) => kind === 'rule' || kind === 'group' || kind === 'role' || kind === 'requirement',
  );
  const failing = chain.filter(({ verdict }) => verdict === 'fail');
  const isRefused = failing.length > 0 && !deciding.some(({ verdict }) => verdict === 'pass');
  const links = deciding.length > 0 ? deciding : isRefused ? failing : chain.slice(0, 1);
  return [...new Set(links.map(text))].join('; ');
}

/** The rule or group that lets somebody in. */
function byOf({ chain, answer: { requirements = [] } }: Visit): string {
  const [needed] = requirements;
  if (needed !== undefined) return `what ${needed.requirement.path || '/'} requires`;
  const passed = chain.filter(({ verdict }) => verdict === 'pass');
  const rule = passed.find(({ kind }) => kind === 'rule');
  if (rule !== undefined) return `the rule of ${rule.name}`;
  const group = passed.find(({ kind }) => kind === 'group');
  return group === undefined ? 'anyone who can sign in' : `the group ${group.name}`;
}

/** Accounts elsewhere: at other providers, of other organizations. */
function proveElsewhere(
  app: AppAccess,
  other: AppAccess | undefined,
  word: 'now' | 'before',
): ProofSide {
  const already = new Set(other === undefined ? [] : anyoneAt(other));
  const unknown: string[] = [];
  for (const provider of anyoneAt(app)) {
    const rulesOf = (of: AppAccess | undefined): string => {
      const settings = of?.settings?.providers.find(({ words }) => words[0] === provider);
      return JSON.stringify([
        settings?.rules,
        of?.settings?.emailDomains,
        of?.settings?.requirements,
      ]);
    };
    if (!already.has(provider))
      return {
        verdict: 'new',
        example: { attributes: { provider } },
        reasons: [`${word}: anyone with an account at ${provider}`],
      };
    if (rulesOf(app) !== rulesOf(other))
      unknown.push(`what accounts at ${provider} must hold changed: it is not decided for all`);
  }
  return unknown.length === 0 ? { verdict: 'none' } : { verdict: 'unknown', reasons: unknown };
}

function isShut(prover: Prover, after: Side, before: Side): boolean {
  const { app } = after;
  if (app === undefined || before.app === undefined) return false;
  const isOpen = (each: AppAccess): boolean =>
    publicPaths(each).length > 0 || anyoneAt(each).length > 0;
  if (isOpen(app) || isOpen(before.app)) return false;
  const somebody = ({ doors }: Side, each: AppAccess): string =>
    prover.ask({ formula: (reading) => doors.app(each, reading), replay: () => true }).verdict;
  return somebody(after, app) === 'none' && somebody(before, before.app) === 'some';
}
