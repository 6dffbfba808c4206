import fc from 'fast-check';
import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { type AccessModel, accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import { decideVisit } from '../../../access/answer/visit.js';
import type { SeedLists } from '../../../services/common/seed.js';
import { runs } from '../../support/property-tests.js';
import { idOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');
const departments = [undefined, 'A', 'AB', 'B'];
const cities = [undefined, 'A', 'B'];

/** Everybody whom the rules below can tell apart, and two who are named. */
const seed: SeedLists = {
  users: [
    ...departments.flatMap((department, index) =>
      cities.flatMap((city, place) =>
        ['Member', 'Guest'].map((userType) =>
          person(`p${String(index)}${String(place)}${userType.slice(0, 1)}`, {
            userType,
            ...(department !== undefined && { department }),
            ...(city !== undefined && { city }),
          }),
        ),
      ),
    ),
    person('ada', { department: 'B' }),
    person('gone', { department: 'A', accountEnabled: false }),
  ],
};
const paths = ['/', '/a', '/a/b', '/a/b/c', '/a/c', '/b', '/ab', '/A/B'];

const rule = fc.constantFrom(
  ...['user.department -eq "A"', 'user.department -contains "A"', 'user.department -ne "B"'],
  ...['user.city -in ["A", "B"]', 'user.city -eq null', 'user.userType -eq "Member"'],
  'user.department -eq "B" -and user.accountEnabled -eq true',
  '-not (user.department -startsWith "A" -or user.city -eq "B")',
);
const names = ['one', 'two', 'three'] as const;
const group = fc.oneof(
  { weight: 3, arbitrary: rule.map((text) => ({ dynamicMembership: { rule: text } })) },
  fc.subarray(['two', 'three', idOf('ada'), idOf('gone')]).map((members): object => ({ members })),
);
const groups = fc.tuple(group, group, group).map(([one, two, three]) => {
  const listed = 'members' in three ? { members: [idOf('ada')] } : three;
  const inner = 'members' in two ? { members: ['three'] } : two;
  return Object.fromEntries(
    [one, inner, listed].map((each, index) => {
      const name = names[index] ?? '';
      return [name, { displayName: name, ...each }];
    }),
  );
});
const someOf = (list: readonly string[], minimum = 0) =>
  fc.option(fc.subarray([...list], { minLength: Math.max(1, minimum) }), { nil: undefined });
const path = fc.constantFrom('/a', '/a/b', '/b', '/a/b/c', '/');
const app = fc.record({
  directory: fc.record({
    allowedGroups: someOf(names),
    claimGroups: someOf(names),
    allowedPrincipals: someOf([idOf('ada'), idOf('gone')]),
  }),
  auth: fc.record({
    excludedPaths: fc.option(fc.uniqueArray(path, { minLength: 1, maxLength: 2 }), {
      nil: undefined,
    }),
    unauthenticatedAction: fc.constantFrom(undefined, 'return401', 'allowAnonymous'),
    requirements: fc.option(
      fc.uniqueArray(fc.record({ path, groups: fc.subarray([...names], { minLength: 1 }) }), {
        minLength: 1,
        maxLength: 2,
        selector: (each) => each.path,
      }),
      { nil: undefined },
    ),
  }),
  claims: fc.constantFrom(undefined, ['All'], ['SecurityGroup'], ['None']),
  groups,
});

type App = typeof app extends fc.Arbitrary<infer T> ? T : never;

function configOf({ directory, auth, claims, groups: declared }: App) {
  const config = stackOf(directory, {
    auth,
    groups: declared,
    registrations: { login: { displayName: 'Sign-in', groupMembershipClaims: claims } },
  });
  // removes properties that are undefined
  return JSON.parse(JSON.stringify(config)) as typeof config;
}

function modelOf(drawnApp: App, people: SeedLists): AccessModel {
  return accessModel([configOf(drawnApp)], directoryFromSeed([people], 'the draw'), { now });
}

/** Who gets to which path, one after the other, and browsers without a session. */
function allAnswers(model: AccessModel): readonly (boolean | 'unknown')[] {
  const [only] = model.apps;
  if (only === undefined) throw new Error('there is no app');
  return [undefined, ...model.directory.people.keys()].flatMap((personIndex) =>
    paths.map((each) => decideVisit(model, only, each, personIndex).answer.allowed),
  );
}

/** A draw and another that differs from it in one or two parts. */
const pair = fc
  .tuple(app, app, fc.subarray(['directory', 'auth', 'claims', 'groups'], { minLength: 1 }))
  .map(([base, other, parts]): readonly [App, App] => [
    base,
    { ...base, ...Object.fromEntries(parts.map((part) => [part, other[part as keyof App]])) },
  ]);

describe('the proof of a change of an app', () => {
  it('never proves that nobody gains or loses access where a person of the seed does', () => {
    const count = { new: 0, none: 0, unknown: 0 };
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const [base, head] = [modelOf(before, {}), modelOf(after, {})];
        const proofs = proveChanges(compareAccess(head, base), head, base, { now });
        const [proof] = [...proofs.values()];
        const [answersBefore, answersAfter] = [
          allAnswers(modelOf(before, seed)),
          allAnswers(modelOf(after, seed)),
        ];
        const changeText = `${JSON.stringify(configOf(before))} => ${JSON.stringify(configOf(after))}`;
        const gains = answersAfter.findIndex(
          (each, index) => each === true && answersBefore[index] === false,
        );
        const loses = answersBefore.findIndex(
          (each, index) => each === true && answersAfter[index] === false,
        );
        const describeAnswer = (answerIndex: number): string =>
          `${String(Math.floor(answerIndex / paths.length) - 1)} at ${paths[answerIndex % paths.length] ?? ''}: ${changeText}`;
        count[proof?.gain.verdict ?? 'none']++;
        if (gains >= 0)
          expect(proof?.gain.verdict, `gain of ${describeAnswer(gains)}`).not.toBe('none');
        if (loses >= 0)
          expect(proof?.loss.verdict, `loss of ${describeAnswer(loses)}`).not.toBe('none');
        const reasons = [...(proof?.gain.reasons ?? []), ...(proof?.loss.reasons ?? [])];
        expect(reasons.join(), changeText).not.toContain('defect');
      }),
      { numRuns: runs(100) },
    );
    expect(count.new).toBeGreaterThan(runs(100) / 5);
    expect(count.none).toBeGreaterThan(runs(100) / 20);
  });
});
