import { checkExpectation, parseExpectation } from '../../../access/testing/expectation.js';
import { accessModel, modelOfApps } from '../../../access/model.js';
import { appWithAuth } from '../../../access/stack/applied-apps.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import type { DirectoryCoverage } from '../../../access/directory/records.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';
import { idOf, modelOf, someone, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

test.each<[object, string]>([
  [
    { app: 'shop', person: 'ada', path: 'admin', expect: 'denied' },
    'a path begins with a slash, not "admin"',
  ],
  [{ app: 'shop', person: 'ada', path: 5, expect: 'denied' }, 'a path begins with a slash, not 5'],
  [{ app: 'shop', person: 5, expect: 'allowed' }, 'an expectation names an app and a person'],
  [{ app: 5, person: 'ada', expect: 'allowed' }, 'an expectation names an app and a person'],
  [{ app: 'shop', only: ['staff', 5] }, 'only needs an app and a list'],
  [{ app: 'shop', path: '/admin', only: ['staff'] }, '"path" has no effect beside only: remove it'],
  [
    { app: 'shop', person: 'ada', group: 'staff', expect: 'allowed' },
    '"group" has no effect beside expect: remove it',
  ],
  [
    { app: 'shop', path: '/admin', expect: { 'at most': 5 } },
    '"path" has no effect beside a number of people: remove it',
  ],
  [
    { app: 'shop', person: 'ada', never: 'user.userType -eq "Guest"' },
    '"person" has no effect beside never: remove it',
  ],
  [
    { app: 'shop', only: 'user.userType -eq "Member"', never: 'user.userType -eq "Guest"' },
    '"only" has no effect beside never: remove it',
  ],
  [
    { app: 'shop', group: 'staff', within: 'everyone' },
    '"app" has no effect beside within: remove it',
  ],
])('%j is refused: part of it would not be tested', (expectation, mistake) => {
  expect(parseExpectation(expectation)).toContain(mistake);
});

test.each<object>([
  { name: 'a', app: 'shop', path: '/admin', person: 'ada', anonymous: false, expect: 'allowed' },
  { name: 'b', app: 'shop', path: '/admin', anonymous: true, expect: 'denied' },
  { name: 'c', app: 'shop', expect: { 'at most': 5 } },
  { name: 'd', app: 'shop', path: '/admin', only: 'user.userType -eq "Member"' },
  { name: 'd, for nobody', app: 'shop', only: [] },
  { name: 'e', groups: ['staff', 'guests'], disjoint: true },
])('%j is tested as a whole', (expectation) => {
  expect(parseExpectation(expectation)).toBeInstanceOf(Object);
});

describe('an app that two stacks have', () => {
  const configs = [
    { ...stackOf({ allowedPrincipals: ['ada'] }), stack: 'first' },
    { ...stackOf({ allowedPrincipals: ['grace'] }), stack: 'second' },
  ].map((config) => ({
    ...config,
    principals: { ada: { user: 'ada@contoso.example' }, grace: { user: 'grace@contoso.example' } },
  }));
  const model = accessModel(configs, directoryFromSeed([someone], 'the test'), { now });
  const failureOf = (app: string): string | undefined => {
    const expectation = parseExpectation({ app, person: 'grace', expect: 'allowed' });
    if (typeof expectation === 'string') throw new Error(expectation);
    return checkExpectation(expectation, model, configs, { now, assumed: [] })?.message;
  };

  test('must be named with its stack', () => {
    expect(failureOf('shop')).toBe(
      'several stacks have an app "shop": write first/shop or second/shop',
    );
  });

  test('is found by the name of its stack', () => {
    expect(failureOf('first/shop')).toContain('grace at first/shop/: expected allowed, is denied');
    expect(failureOf('second/shop')).toBeUndefined();
  });
});

describe('a group that two stacks have', () => {
  const configs = ['first', 'second'].map((stack) => ({
    ...stackOf(
      {},
      {
        groups: { staff: { kind: 'security', displayName: `Staff of ${stack}`, members: [stack] } },
        principals: { first: { user: 'ada@contoso.example' }, second: { user: 'x@y.example' } },
      },
    ),
    stack,
  }));
  const model = accessModel(configs, directoryFromSeed([someone], 'the test'), { now });
  const failureOf = (written: object): string | undefined => {
    const expectation = parseExpectation(written);
    if (typeof expectation === 'string') throw new Error(expectation);
    return checkExpectation(expectation, model, configs, { now, assumed: [] })?.message;
  };

  test.each<object>([
    { group: 'staff', expect: { 'at most': 9 } },
    { app: 'first/shop', only: ['staff'] },
    { groups: ['staff', 'Staff of first'], disjoint: true },
  ])('must be named with its stack in %j', (expectation) => {
    expect(failureOf(expectation)).toBe(
      'several stacks have a group "staff": write first/staff or second/staff',
    );
  });

  test('is found by the name of its stack, and by its display name', () => {
    const atLeastOne = { 'at least': 1 };
    expect(failureOf({ group: 'first/staff', expect: atLeastOne })).toBeUndefined();
    expect(failureOf({ group: 'Staff of first', expect: atLeastOne })).toBeUndefined();
    expect(failureOf({ group: 'second/staff', expect: atLeastOne })).toContain('has 0 people');
  });
});

test('a display name that two groups of the directory have is refused', () => {
  const ids = ['11111111-2222-4333-8444-555555555555', '22222222-2222-4333-8444-555555555555'];
  const groups = ids.map((id) => ({ id, displayName: 'Staff', securityEnabled: true }));
  const configs = [stackOf({}, { principals: { team: { group: 'Staff' } } })];
  const directory = directoryFromSeed([{ users: someone.users, groups }], 'the test');
  const model = accessModel(configs, directory, { now });
  const failures = ['staff', 'team', ids[1]].map((group) => {
    const expectation = parseExpectation({ group, expect: { 'at most': 9 } });
    if (typeof expectation === 'string') throw new Error(expectation);
    return checkExpectation(expectation, model, configs, { now, assumed: [] })?.message;
  });
  const either = `write ${ids.join(' or ')}`;
  expect(failures).toEqual([
    `several groups are called "staff": ${either}`,
    `several groups are called "team": ${either}`,
    undefined,
  ]);
});

/** How an expectation of a stack with the people of {@link someone} fails. */
function failureIn(config: StackConfig, value: object): string | undefined {
  const expectation = parseExpectation(value);
  if (typeof expectation === 'string') throw new Error(expectation);
  return checkExpectation(expectation, modelOf(config), [config], { now, assumed: [] })?.message;
}

describe('a number of people', () => {
  const atMostThree = { app: 'shop', expect: { 'at most': 3 } };
  const codehost = { codehost: { clientId: 'c', clientSecret: 'secret:c' } };

  test.each([
    [
      'is exceeded by an app that needs no sign-in',
      stackOf({}, { auth: { unauthenticatedAction: 'allowAnonymous' } }),
      'shop lets in a browser without a session, expected at most 3',
    ],
    [
      'is exceeded by an app with accounts that nobody can list',
      stackOf({}, { auth: { providers: codehost } }),
      'shop lets in anyone with an account at codehost, expected at most 3',
    ],
    ['holds where everyone who gets in is known', stackOf({}), undefined],
    [
      'holds where even those of whom it is not known are few enough',
      stackOf({ allowedGroups: [idOf('stranger')] }),
      undefined,
    ],
  ])('%s', (_case, config, message) => {
    expect(failureIn(config, atMostThree)).toBe(message);
  });

  test('fails where people of whom it is not known may be too many', () => {
    const config = stackOf({ allowedGroups: [idOf('stranger')] });
    expect(failureIn(config, { app: 'shop', expect: { 'at most': 2 } })).toBe(
      'shop lets in 0 people, and 3 people perhaps, expected at most 2',
    );
  });

  test('fails for a group with members who are not known', () => {
    const config = stackOf(
      {},
      {
        principals: { unread: { group: 'Unread' } },
        groups: { staff: { displayName: 'Staff', members: ['unread'] } },
      },
    );
    expect(failureIn(config, { group: 'staff', expect: { 'at most': 500 } })).toBe(
      'the group staff has members who are not known, expected at most 500',
    );
  });
});

test.each([
  ['/', '/reports'],
  ['/admin/', '/admin/open'],
  ['/Admin', '/admin/open'],
  ['/my%20files', '/my%20file%73/open'],
  ['/m%79%20files', '/my%20files/open'],
  ['/gr%C3%B6%C3%9Fe', '/größe/open'],
  ['/größe', '/größe/open'],
])('requires at %s covers what is below it', (path, weakPath) => {
  const requirements = [
    { path: path.replace(/(?<=.)\/$/, ''), acrValues: ['mfa'] },
    { path: weakPath, maxAge: 600 },
  ];
  const expectation = { app: 'shop', path, requires: { acrValues: ['mfa'] } };
  expect(failureIn(stackOf({}, { auth: { requirements } }), expectation)).toBe(
    `${weakPath} of shop does not ask for mfa`,
  );
});

test.each(['/my%20files', '/m%79%20files/'])(
  'a private path in the spelling %s covers what is excluded below it',
  (path) => {
    const config = stackOf({}, { auth: { excludedPaths: ['/my%20files/open'] } });
    expect(failureIn(config, { app: 'shop', path, never: 'anonymous' })).toBe(
      'a browser without a session reaches /my%20files/open of shop',
    );
  },
);

test('a requirement denies every spelling of its path', () => {
  const requirements = [{ path: '/my%20files', groups: ['staff'] }];
  const groups = { staff: { displayName: 'Staff', members: ['ada'] } };
  const principals = { ada: { user: 'ada@contoso.example' } };
  const config = stackOf({}, { auth: { requirements }, groups, principals });
  const expectation = { app: 'shop', path: '/my%20file%73', person: 'grace', expect: 'denied' };
  expect(failureIn(config, expectation)).toBeUndefined();
});

test('a proof at a required path may name letters that requests encode', () => {
  const requirements = [{ path: '/größe', groups: [idOf('stranger')] }];
  const config = stackOf({}, { auth: { requirements } });
  const expectation = { app: 'shop', only: 'user.userType -eq "Member"' };
  expect(() => failureIn(config, { ...expectation, path: '/größe' })).not.toThrow();
});

describe('people whom the directory that was read does not have', () => {
  const unread = '11111111-1111-4111-8111-111111111111';
  const staff = { staff: { displayName: 'Staff', members: ['ada'] } };
  const principals = {
    ada: { user: 'ada@contoso.example' },
    stranger: { user: 'stranger@contoso.example' },
    others: { group: 'Others' },
  };
  const failureOf = (
    signIn: object,
    expectation: object,
    users: readonly Readonly<Record<string, unknown>>[] = [],
    people: DirectoryCoverage['people'] = 'named',
  ): string | undefined => {
    const config = stackOf(signIn, { principals, groups: staff });
    const coverage = {
      people,
      properties: [],
      directReportsOf: [],
      idsByNameHash: new Map(),
      permissions: true,
      unreadGroups: new Map(),
    };
    const directory = { ...directoryFromSeed([{ users }], 'the test'), coverage };
    const model = accessModel([config], directory, { now });
    const parsed = parseExpectation({ app: 'shop', ...expectation });
    if (typeof parsed === 'string') throw new Error(parsed);
    return checkExpectation(parsed, model, [config], { now, assumed: [] })?.message;
  };
  const atMost = { expect: { 'at most': 500 } };
  const only = { only: ['staff'] };
  const [ada] = someone['users'] as readonly [Readonly<Record<string, unknown>>];

  it.each([
    ['of nobody', []],
    ['of people who all get in', [ada]],
  ])('fails for a group that was not read, in a directory %s', (_, users) => {
    for (const group of [unread, 'others']) {
      const directory = { allowedGroups: ['staff', group] };
      expect(failureOf(directory, only, users)).toMatch(
        /^shop lets in members of .* who are not known, expected only staff$/,
      );
      expect(failureOf(directory, atMost, users)).toMatch(
        /^shop lets in members of .* who are not known, expected at most 500$/,
      );
    }
  });

  it('passes for a group that was not read where its members are among people who all get in', () => {
    const directory = { allowedGroups: ['staff', unread] };
    expect(failureOf(directory, only, [ada], 'all')).toBeUndefined();
    expect(failureOf(directory, only, [], 'all')).toContain('members of');
  });

  it('fails for an account that was not found', () => {
    const directory = { allowedGroups: ['staff'], allowedPrincipals: ['stranger'] };
    expect(failureOf(directory, only, [ada])).toBe(
      'shop lets in stranger@contoso.example, who is not known, expected only staff',
    );
    expect(failureOf(directory, { expect: { 'at most': 1 } }, [ada])).toContain(
      'expected at most 1',
    );
    expect(failureOf(directory, { expect: { 'at most': 2 } }, [ada])).toBeUndefined();
  });

  it('passes where each of several lists that must all be met is known, or is expected', () => {
    const directory = { allowedGroups: [unread], claimGroups: ['staff'] };
    expect(failureOf({ allowedGroups: ['staff'] }, only, [ada])).toBeUndefined();
    expect(failureOf(directory, only)).toBeUndefined();
    expect(failureOf(directory, atMost, [ada])).toBeUndefined();
    expect(failureOf({ ...directory, claimGroups: [unread] }, only)).toContain('members of');
  });

  it('fails for accounts at the issuer of another tenant', () => {
    const directory = { issuer: 'https://evil.example/v2.0', allowedGroups: ['staff'] };
    expect(failureOf(directory, only)).toContain('anyone with an account at directory');
    expect(failureOf(directory, atMost)).toContain('anyone with an account at directory');
  });
});

describe('an app that takes tokens of another issuer', () => {
  const issuer = 'https://issuer.example';
  const body = {
    properties: {
      platform: { enabled: true },
      globalValidation: { unauthenticatedClientAction: 'Return401' },
      login: { bearer: { issuers: [{ issuer, audiences: ['shop'] }] } },
      identityProviders: {
        azureActiveDirectory: {
          registration: {
            clientId: idOf('client'),
            openIdIssuer: 'https://login.microsoftonline.com/own/v2.0',
          },
          validation: {
            defaultAuthorizationPolicy: { allowedPrincipals: { identities: [idOf('ada')] } },
          },
        },
      },
    },
  };
  const directory = directoryFromSeed([someone], 'the test');
  const app = appWithAuth({ stack: 'shop', name: 'shop', reach: 'everywhere' }, body, {
    directory,
    config: { azure: { tenantId: 'own' } },
  });
  const model = modelOfApps([app], directory, { now });

  it.each<object>([
    { only: ['ada'] },
    { only: `user.objectId -eq "${idOf('ada')}"` },
    { expect: { 'at most': 5 } },
  ])('lets in others than %j', (expectation) => {
    const parsed = parseExpectation({ app: 'shop', ...expectation });
    if (typeof parsed === 'string') throw new Error(parsed);
    expect(checkExpectation(parsed, model, [], { now, assumed: [] })?.message).toContain(
      `shop lets in anyone with a token of ${issuer}`,
    );
  });
});

describe('an app with another provider', () => {
  const provider = (requiredClaims?: object): object => ({
    clientId: 'shop',
    clientSecret: 'env:SECRET',
    wellKnownConfiguration: 'https://partner.example/.well-known/openid-configuration',
    ...(requiredClaims !== undefined && { requiredClaims }),
  });
  const violationOf = (
    openIdConnect: object,
    only: string,
  ): ReturnType<typeof checkExpectation> => {
    const config = stackOf({ allowedPrincipals: ['ada'] });
    const providers = config.containerApps?.['shop']?.auth?.providers;
    Object.assign(providers ?? {}, { openIdConnect });
    const model = accessModel([config], directoryFromSeed([someone], 'the test'), { now });
    const expectation = parseExpectation({ app: 'shop', only });
    if (typeof expectation === 'string') throw new Error(expectation);
    return checkExpectation(expectation, model, [config], { now, assumed: [] });
  };
  const everybody = 'user.objectId -ne null';

  test('lets in only those of its accounts that have a claim', () => {
    expect(violationOf({ partner: provider({ dept: ['x'] }) }, everybody)).toMatchObject({
      verdict: 'unknown',
      message: 'whether anyone with an account at partner has what shop requires is not known',
    });
  });

  test('lets in all accounts of a second one without such a limit', () => {
    const both = { first: provider({ dept: ['x'] }), second: provider() };
    expect(violationOf(both, everybody)).toMatchObject({
      verdict: 'fail',
      message: 'shop lets in anyone with an account at second',
    });
  });

  test('names somebody of the directory rather than those accounts', () => {
    expect(
      violationOf({ partner: provider({ dept: ['x'] }) }, 'user.department -eq "no such one"'),
    ).toMatchObject({ verdict: 'fail' });
  });
});
