import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import type { ChangeProof } from '../../../access/prove/proof.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';
import type { SeedLists } from '../../../services/common/seed.js';
import { idOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

function proofOf(
  before: StackConfig,
  after: StackConfig,
  seed: SeedLists = {},
  target?: 'azure',
): ChangeProof | undefined {
  const directory = directoryFromSeed([seed], 'the test');
  const base = accessModel([before], directory, { now });
  const head = accessModel([after], directory, { now, reuseFrom: base });
  const proofs = proveChanges(compareAccess(head, base), head, base, { now, target });
  return [...proofs.values()][0];
}

const staff = { displayName: 'Staff', dynamicMembership: { rule: 'user.department -eq "IT"' } };
const listedStaff = { displayName: 'Staff', members: [idOf('ada')] };
const customProvider = (issuer: string) => ({
  openIdConnect: {
    partner: {
      clientId: 'c',
      clientSecret: 'secret:s',
      wellKnownConfiguration: `${issuer}/.well-known/openid-configuration`,
    },
  },
});
const stackForStaff = (auth: object, directory: object = {}, more: object = {}) =>
  stackOf({ allowedGroups: ['staff'], ...directory }, { auth, groups: { staff }, ...more });
const foreignIssuer = 'https://login.microsoftonline.com/5e0d9a4e-1111-4111-8111-111111111111/v2.0';

describe('a change that lets somebody in', () => {
  it.each<[string, StackConfig, StackConfig, 'new' | 'unknown']>([
    [
      'a requirement below an excluded path is gone',
      stackForStaff({
        excludedPaths: ['/a'],
        requirements: [{ path: '/a/admin', groups: ['staff'] }],
      }),
      stackForStaff({ excludedPaths: ['/a'] }),
      'new',
    ],
    [
      'a requirement of an app without sign-in is gone',
      stackForStaff({
        unauthenticatedAction: 'allowAnonymous',
        requirements: [{ path: '/admin', groups: ['staff'] }],
      }),
      stackForStaff({ unauthenticatedAction: 'allowAnonymous' }),
      'new',
    ],
    [
      'a requirement of an app without sign-in names a wider group',
      stackForStaff({
        unauthenticatedAction: 'allowAnonymous',
        requirements: [{ path: '/admin', groups: ['staff'] }],
      }),
      stackForStaff(
        {
          unauthenticatedAction: 'allowAnonymous',
          requirements: [{ path: '/admin', groups: ['staff'] }],
        },
        {},
        {
          groups: {
            staff: { displayName: 'Staff', dynamicMembership: { rule: 'user.city -eq "Oslo"' } },
          },
        },
      ),
      'new',
    ],
    [
      'people of another tenant need no group any more',
      stackForStaff({}, { issuer: foreignIssuer }),
      stackOf({ issuer: foreignIssuer }),
      'new',
    ],
    [
      'people of another tenant may be in another group, too',
      stackOf({ issuer: foreignIssuer, allowedGroups: [idOf('one')] }),
      stackOf({ issuer: foreignIssuer, allowedGroups: [idOf('one'), idOf('two')] }),
      'unknown',
    ],
    [
      'people of another tenant may be in another group at a path',
      stackForStaff(
        { requirements: [{ path: '/a', groups: [idOf('one')] }] },
        { issuer: foreignIssuer },
      ),
      stackForStaff(
        { requirements: [{ path: '/a', groups: [idOf('one'), idOf('two')] }] },
        { issuer: foreignIssuer },
      ),
      'unknown',
    ],
    [
      'a rule is wider, and the root alone needs no sign-in',
      stackForStaff({ excludedPaths: ['/'] }),
      stackForStaff(
        { excludedPaths: ['/'] },
        {},
        {
          groups: {
            staff: {
              displayName: 'Staff',
              dynamicMembership: { rule: 'user.department -contains "IT"' },
            },
          },
        },
      ),
      'new',
    ],
    [
      'any application of the directory may call',
      stackForStaff({}, { allowedApplications: [idOf('one')] }),
      stackForStaff({}),
      'new',
    ],
    [
      'another application of the directory may call',
      stackForStaff({}, { allowedApplications: [idOf('one')] }),
      stackForStaff({}, { allowedApplications: [idOf('one'), idOf('two')] }),
      'unknown',
    ],
    [
      'a requirement at a path of an app with another provider is gone',
      stackOf(
        {},
        {
          auth: {
            providers: customProvider('https://a.example'),
            requirements: [{ path: '/a', claims: { team: ['x'] } }],
          },
        },
      ),
      stackOf({}, { auth: { providers: customProvider('https://a.example') } }),
      'new',
    ],
    [
      'a path below a required one is excluded',
      stackForStaff({ requirements: [{ path: '/a', groups: ['staff'] }] }),
      stackForStaff({
        excludedPaths: ['/a/b'],
        requirements: [{ path: '/a', groups: ['staff'] }],
      }),
      'new',
    ],
    [
      'a provider of the same name is another one',
      stackOf(
        { allowedPrincipals: [idOf('ada')] },
        { auth: { providers: customProvider('https://a.example') } },
      ),
      stackOf(
        { allowedPrincipals: [idOf('ada')] },
        { auth: { providers: customProvider('https://b.example') } },
      ),
      'new',
    ],
    [
      'others manage the members of a group',
      stackOf({ allowedGroups: ['staff'] }, { groups: { staff: listedStaff } }),
      stackOf(
        { allowedGroups: ['staff'] },
        { groups: { staff: { displayName: 'Staff', membersManagedElsewhere: true } } },
      ),
      'new',
    ],
    [
      'the rule of a group is paused',
      stackForStaff({}),
      stackForStaff(
        {},
        {},
        {
          groups: {
            staff: {
              displayName: 'Staff',
              dynamicMembership: { rule: 'user.department -eq "IT"', processing: 'Paused' },
            },
          },
        },
      ),
      'new',
    ],
    [
      'an app becomes reachable from outside its environment',
      {
        version: 1,
        stack: 'shop',
        containerApps: { shop: { image: 'shop:1', ingress: { external: false } } },
      } as unknown as StackConfig,
      {
        version: 1,
        stack: 'shop',
        containerApps: { shop: { image: 'shop:1', ingress: { external: true } } },
      } as unknown as StackConfig,
      'new',
    ],
    [
      'tokens name all groups, and not those of the application only',
      stackForStaff(
        {},
        {},
        {
          registrations: {
            login: { displayName: 'Sign-in', groupMembershipClaims: ['ApplicationGroup'] },
          },
        },
      ),
      stackForStaff(
        {},
        {},
        { registrations: { login: { displayName: 'Sign-in', groupMembershipClaims: ['All'] } } },
      ),
      'unknown',
    ],
    [
      'tokens for another audience are taken',
      stackForStaff({}),
      stackForStaff({}, { allowedAudiences: ['api://other'] }),
      'unknown',
    ],
  ])('is not proved to let nobody in: %s', (_name, before, after, verdict) => {
    expect(proofOf(before, after)?.gain.verdict).toBe(verdict);
  });

  it('knows the members of a group that others manage', () => {
    const seed: SeedLists = {
      users: [person('ada'), person('mary')],
      groups: [
        {
          displayName: 'Staff',
          id: idOf('g'),
          mailNickname: 'staff',
          securityEnabled: true,
          members: [idOf('ada')],
        },
      ],
    };
    const declaredMembers = stackOf(
      { allowedGroups: ['staff'] },
      { groups: { staff: { displayName: 'Staff', members: [idOf('ada'), idOf('mary')] } } },
    );
    const managedElsewhere = stackOf(
      { allowedGroups: ['staff'] },
      { groups: { staff: { displayName: 'Staff', membersManagedElsewhere: true } } },
    );
    expect(proofOf(managedElsewhere, declaredMembers, seed)?.gain).toMatchObject({
      verdict: 'new',
      example: { attributes: { objectId: idOf('mary') } },
    });
  });

  it('does not know how the cloud reads excluded paths', () => {
    const [before, after] = [
      stackForStaff({ excludedPaths: ['/a'] }),
      stackForStaff({ excludedPaths: ['/a', '/a/b'] }),
    ];
    expect(proofOf(before, after)?.gain).toEqual({ verdict: 'none' });
    expect(proofOf(before, after, {}, 'azure')?.gain).toEqual({
      verdict: 'unknown',
      example: { attributes: {}, path: '/a/b' },
      reasons: ['how the cloud reads excluded paths is not documented: now /a/b may be public'],
    });
  });

  it('ends with rules that refer to each other', () => {
    const config = (rule: string) =>
      stackOf(
        { allowedGroups: [idOf('one')] },
        { groups: { other: { displayName: 'O', dynamicMembership: { rule } } } },
      );
    const rule = (name: string) => `user.memberof -any (group.objectId -in ['${idOf(name)}'])`;
    const seed: SeedLists = {
      groups: ['one', 'two'].map((name) => ({
        displayName: name,
        id: idOf(name),
        mailNickname: name,
        securityEnabled: true,
        groupTypes: ['DynamicMembership'],
        membershipRule: rule(name === 'one' ? 'two' : 'one'),
        membershipRuleProcessingState: 'On',
      })),
    };
    const proof = proofOf(config('user.city -eq "A"'), config('user.city -eq "B"'), seed);
    expect(proof?.gain).toEqual({ verdict: 'none' });
  });
});
