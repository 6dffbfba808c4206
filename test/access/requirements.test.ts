import { visitText } from '../../access/answer/report.js';
import { cloudDifferences } from '../../access/decide/cloud-differences.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessModel } from '../../access/model.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { idOf, insiders, modelOf, person, stackOf, visitOf } from './support.js';

const groups = { staff: { kind: 'security', displayName: 'Staff', members: ['ada'] } };
const principals = { ada: { user: 'ada@contoso.example' } };
const model = (requirements: readonly object[], auth: object = {}) =>
  modelOf(stackOf({}, { auth: { ...auth, requirements }, groups, principals }), {
    users: [person('ada', { mail: 'ada@contoso.example' }), person('grace', { surname: 'Hopper' })],
  });

test.each([
  ['ada', '/admin/users', { path: '/admin', groups: ['staff'] }, true, 200],
  ['grace', '/admin/users', { path: '/admin', groups: ['staff'] }, false, 403],
  ['grace', '/ADMIN', { path: '/admin', groups: ['staff'] }, false, 403],
  ['grace', '/administration', { path: '/admin', groups: ['staff'] }, true, 200],
  ['grace', '/', { path: '/', groups: ['staff'] }, false, 403],
  ['ada', '/a', { path: '/a', groups: [idOf('stranger')] }, 'unknown', undefined],
  ['ada', '/a', { path: '/a', emailDomains: ['contoso.example'] }, true, 200],
  ['ada', '/a', { path: '/a', emailDomains: ['fabrikam.example'] }, false, 403],
  ['grace', '/a', { path: '/a', claims: { family_name: ['Hopper'] } }, true, 200],
  ['grace', '/a', { path: '/a', claims: { family_name: ['Lovelace'] } }, false, 403],
  ['grace', '/a', { path: '/a', claims: { department: ['Retail'] } }, 'unknown', undefined],
  ['ada', '/a', { path: '/a', acrValues: ['mfa'] }, 'unknown', undefined],
  ['ada', '/a', { path: '/a', maxAge: '00:10:00' }, true, 200],
] as const)('%s at %s with %j: %s, with status %s', (who, path, requirement, allowed, status) => {
  expect(visitOf(model([requirement]), who, path).answer).toMatchObject({ allowed, status });
});

test.each([
  ['grace', { family_name: ['Hopper'] }, true, 200],
  ['grace', { family_name: ['Lovelace'] }, false, 403],
  ['ada', { family_name: ['Lovelace'] }, 'unknown', undefined],
  ['grace', { department: ['Retail'] }, 'unknown', undefined],
] as const)(
  '%s, where a token must have the claims %j: %s',
  (who, requiredClaims, allowed, status) => {
    const people = [
      person('ada', { mail: 'ada@contoso.example' }),
      person('grace', { surname: 'Hopper' }),
    ];
    const visit = visitOf(modelOf(stackOf({ requiredClaims }), { users: people }), who);
    expect(visit.answer).toMatchObject({ allowed, status });
    expect(visitText(visit)).toContain(`claim ${Object.keys(requiredClaims)[0] ?? ''}`);
  },
);

test('the longest path decides, and the chain says what a person lacks', () => {
  const both = model([
    { path: '/', groups: ['staff'] },
    { path: '/lobby', maxAge: 600 },
  ]);
  expect(visitOf(both, 'grace', '/lobby').answer.allowed).toBe(true);
  expect(visitText(visitOf(both, 'grace', '/x'))).toContain(
    'no   requirement /: groups: not in one of its groups',
  );
});

test('a required path asks everyone to sign in, beside public ones', () => {
  const publicModel = model([{ path: '/admin', groups: ['staff'] }], {
    restrictAccess: 'allowUnauthenticated',
  });
  expect(visitOf(publicModel, undefined, '/').answer.allowed).toBe(true);
  expect(visitOf(publicModel, undefined, '/admin').answer).toMatchObject({
    allowed: false,
    status: 302,
  });
});

test("the cloud's layer has no requirements", () => {
  const { apps } = model([{ path: '/admin', groups: ['staff'] }]);
  expect(apps.flatMap((app) => cloudDifferences(app)).map(({ what }) => what)).toContain(
    "the cloud's layer has no requirements by path: whom it lets in gets to every path",
  );
});

describe('the tenant of people', () => {
  const tenantId = '11111111-2222-4333-8444-555555555555';
  const visitOfAda = (tid: string, azure: StackConfig['azure'], tenantOfDirectory?: string) => {
    const config = { ...stackOf({ requiredClaims: { tid: [tid] } }), azure };
    const directory = directoryFromSeed([{ users: [person('ada')] }], 'test', tenantOfDirectory);
    return visitOf(accessModel([config as StackConfig], directory, { now: 0 }), 'ada').answer;
  };

  test.each([
    ['of the directory', undefined, tenantId, true],
    ['of the stack', { tenantId }, undefined, true],
    ['that is not known', undefined, undefined, 'unknown'],
    ['with a name of a domain', { tenantId: 'contoso.example' }, undefined, 'unknown'],
    ['of another id', undefined, idOf('another'), false],
  ] as const)('%s decides about a required tid', (_case, azure, tenantOfDirectory, allowed) => {
    expect(visitOfAda(tenantId, azure, tenantOfDirectory).allowed).toBe(allowed);
  });
});

test.each(['sub', 'oid'])('a required %s lets in one person of many', (claim) => {
  const requiredClaims = { [claim]: [idOf('ada')] };
  const users = [person('ada'), person('grace'), person('guest')];
  expect(insiders(modelOf(stackOf({ requiredClaims }), { users }))).toEqual(['ada']);
});
