import fc from 'fast-check';

/** A person of a drawn stack. */
export interface DrawnPerson {
  readonly department: string | undefined;
  readonly guest: boolean;
  readonly enabled: boolean;
  /** The place of the manager among the people. */
  readonly manager: number | undefined;
  /** Further properties, as the directory names them. */
  readonly otherProperties?: object;
}

/** Who is in a drawn group. */
export type DrawnMembers =
  | {
      readonly kind: 'list';
      readonly people: readonly number[];
      readonly groups: readonly number[];
    }
  | { readonly kind: 'rule'; readonly rule: string; readonly paused: boolean }
  | { readonly kind: 'reports'; readonly manager: number }
  /** Members of the seeded groups. */
  | { readonly kind: 'memberOf'; readonly groups: readonly number[] };

/** A group that the stack declares. */
export interface DrawnGroup {
  readonly unified: boolean;
  readonly securityEnabled: boolean;
  readonly members: DrawnMembers;
}

/** A stack with one app, and the people who ask. */
export interface DrawnStack {
  readonly people: readonly DrawnPerson[];
  /** Groups that exist beforehand: people by name, they may hold each other. */
  readonly seeded: readonly {
    readonly people: readonly number[];
    readonly groups: readonly number[];
  }[];
  readonly groups: readonly DrawnGroup[];
  readonly registration: {
    readonly claims: readonly string[] | undefined;
    readonly assignmentRequired: boolean;
    readonly assignedPeople: readonly number[];
    readonly assignedGroups: readonly number[];
  };
  readonly auth: {
    readonly enabled: boolean | undefined;
    readonly restrictAccess: string | undefined;
    readonly action: string | undefined;
    readonly redirect: boolean;
    readonly otherProvider: boolean;
    readonly preserveFragments: boolean | undefined;
    readonly excludedPaths: readonly string[] | undefined;
    readonly logoutEndpoint: string | undefined;
    readonly apiPrefix: string | undefined;
    /** Places of declared groups; from 100 on those of seeded ones; 999 one that isn't there. */
    readonly allowedGroups: readonly number[] | undefined;
    readonly claimGroups: readonly number[] | undefined;
    readonly allowedPeople: readonly number[] | undefined;
    readonly allowedApplications: readonly ('own' | 'other')[] | undefined;
    readonly allowedClientApplications: readonly ('own' | 'other')[] | undefined;
  };
}

/** The number of a group that does not exist. */
const missingGroup = 999;
/** Groups that exist beforehand are numbered from here. */
export const firstSeededGroup = 100;

const departments = ['Retail', 'retail', 'Sales', 'Operations'];
const rules = [
  'user.department -eq "Retail"',
  'user.department -ne "Retail"',
  'user.department -in ["Sales","Operations"]',
  'user.department -startsWith "R" -and user.userType -eq "Member"',
  'user.department -match "^(S|O)"',
  'not (user.department -contains "tail")',
  'user.accountEnabled -eq true',
  'user.userType -eq "Guest"',
  'user.mailNickname -eq "person-0"',
  'user.displayName -endsWith "1"',
  'user.department -eq null',
];
const paths = ['/healthz', '/public/*', '/Public', '/api/v1', '/'];

/** The paths that each person of a drawn stack requests. */
export const requestPaths = [
  '/',
  '/admin',
  '/healthz',
  '/HEALTHZ/live?deep=1',
  '/healthzz',
  '/public/a',
  '/publi',
  '/api/v1/items',
  '/%61pi/v1',
  '/api//v1',
  '/a/../b',
  '/.AUTH/me',
  '/x;y',
  '/bye/now',
];

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const flag = (weight: number): fc.Arbitrary<boolean> =>
  fc.oneof({ arbitrary: fc.constant(false), weight }, { arbitrary: fc.constant(true), weight: 1 });

/** Draws stacks. */
export const drawnStack: fc.Arbitrary<DrawnStack> = fc
  .record({
    people: fc.integer({ min: 1, max: 4 }),
    seeded: fc.integer({ min: 0, max: 2 }),
    groups: fc.integer({ min: 0, max: 4 }),
  })
  .chain((counts) => {
    const personIndex = fc.nat(counts.people - 1);
    const upToTwo = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
      fc.uniqueArray(each, { maxLength: 2 });
    const noneDrawn = fc.constant<number[]>([]);
    const seededGroup = counts.seeded === 0 ? noneDrawn : upToTwo(fc.nat(counts.seeded - 1));
    const references = fc.uniqueArray(
      fc.oneof(
        {
          arbitrary: counts.groups === 0 ? fc.constant(missingGroup) : fc.nat(counts.groups - 1),
          weight: 6,
        },
        {
          arbitrary:
            counts.seeded === 0
              ? fc.constant(missingGroup)
              : fc.nat(counts.seeded - 1).map((index) => firstSeededGroup + index),
          weight: 3,
        },
      ),
      { minLength: 1, maxLength: 3 },
    );
    // a group holds groups after it only: nesting without circles
    const groupAtIndex = (index: number): fc.Arbitrary<DrawnGroup> => {
      const laterGroups =
        index + 1 < counts.groups
          ? upToTwo(fc.integer({ min: index + 1, max: counts.groups - 1 }))
          : noneDrawn;
      const list = fc.record({
        kind: fc.constant('list' as const),
        people: upToTwo(personIndex),
        groups: laterGroups,
      });
      return fc.record({
        unified: flag(3),
        securityEnabled: flag(1),
        members: fc.oneof(
          { arbitrary: list, weight: 4 },
          {
            arbitrary: fc.record({
              kind: fc.constant('rule' as const),
              rule: fc.constantFrom(...rules),
              paused: flag(6),
            }),
            weight: 4,
          },
          {
            arbitrary: fc.record({ kind: fc.constant('reports' as const), manager: personIndex }),
            weight: 1,
          },
          {
            arbitrary:
              counts.seeded === 0
                ? list
                : fc.record({
                    kind: fc.constant('memberOf' as const),
                    groups: fc.uniqueArray(fc.nat(counts.seeded - 1), { minLength: 1 }),
                  }),
            weight: 1,
          },
        ),
      });
    };
    return fc.record({
      people: fc.tuple(...Array.from({ length: counts.people }, () => drawnPerson(counts.people))),
      seeded: fc.tuple(
        ...Array.from({ length: counts.seeded }, (_, index) =>
          fc.record({
            people: upToTwo(personIndex),
            groups: counts.seeded > 1 ? fc.subarray([1 - index]) : noneDrawn,
          }),
        ),
      ),
      groups: fc.tuple(...Array.from({ length: counts.groups }, (_, index) => groupAtIndex(index))),
      registration: fc.record({
        claims: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 3 },
          {
            arbitrary: fc.constantFrom(
              ['All'],
              ['SecurityGroup'],
              ['None'],
              ['ApplicationGroup'],
              ['DirectoryRole'],
            ),
            weight: 2,
          },
        ),
        assignmentRequired: flag(3),
        assignedPeople: upToTwo(personIndex),
        assignedGroups: seededGroup,
      }),
      auth: fc.record({
        enabled: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 8 },
          { arbitrary: fc.boolean(), weight: 1 },
        ),
        restrictAccess: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 4 },
          {
            arbitrary: fc.constantFrom('requireAuthentication', 'allowUnauthenticated'),
            weight: 1,
          },
        ),
        action: optional(
          fc.constantFrom('redirectToLogin', 'return401', 'return403', 'allowAnonymous'),
        ),
        redirect: fc.boolean(),
        otherProvider: flag(2),
        preserveFragments: optional(fc.boolean()),
        excludedPaths: optional(
          fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 }),
        ),
        logoutEndpoint: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 4 },
          { arbitrary: fc.constant('/bye'), weight: 1 },
        ),
        apiPrefix: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 6 },
          { arbitrary: fc.constant('/door'), weight: 1 },
        ),
        allowedGroups: optional(references),
        claimGroups: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 3 },
          { arbitrary: references, weight: 1 },
        ),
        allowedPeople: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 3 },
          { arbitrary: fc.uniqueArray(personIndex, { minLength: 1, maxLength: 2 }), weight: 1 },
        ),
        allowedApplications: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 4 },
          { arbitrary: fc.subarray(['own', 'other'] as const, { minLength: 1 }), weight: 1 },
        ),
        allowedClientApplications: fc.oneof(
          { arbitrary: fc.constant(undefined), weight: 4 },
          { arbitrary: fc.subarray(['own', 'other'] as const, { minLength: 1 }), weight: 1 },
        ),
      }),
    });
  });

function drawnPerson(count: number): fc.Arbitrary<DrawnPerson> {
  return fc.record({
    department: optional(fc.constantFrom(...departments)),
    guest: flag(4),
    enabled: fc.oneof(
      { arbitrary: fc.constant(true), weight: 5 },
      { arbitrary: fc.constant(false), weight: 1 },
    ),
    manager: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 2 },
      { arbitrary: fc.nat(count - 1), weight: 1 },
    ),
  });
}
