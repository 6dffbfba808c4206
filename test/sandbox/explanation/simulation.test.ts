import { describe, expect, it } from 'vitest';
import type { SourceLinks } from '../../../sandbox/explanation/source-links.js';
import { proveNoAccess } from '../../../sandbox/explanation/access-proof.js';
import { simulate } from '../../../sandbox/explanation/simulation.js';

const shoppers = 'b52b5c3c-bcae-4c61-a15f-57b06acc601e';
const clientId = 'd9c74827-566b-4b51-b69a-405ec444c8e9';
const tenantId = 'fd0c884d-0c3e-4d70-8b67-09de94c853e8';
const grace = '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071';

const app = {
  name: 'storefront',
  auth: {
    platform: { enabled: true },
    globalValidation: {
      excludedPaths: ['/healthz'],
      redirectToProvider: 'azureactivedirectory',
      unauthenticatedClientAction: 'RedirectToLoginPage',
    },
    identityProviders: {
      azureActiveDirectory: {
        enabled: true,
        registration: {
          clientId,
          clientSecretSettingName: 'directory-client-secret',
          openIdIssuer: `https://login.microsoftonline.com/${tenantId}/v2.0`,
        },
        validation: {
          defaultAuthorizationPolicy: { allowedPrincipals: { groups: [shoppers] } },
        },
      },
    },
  },
};

/** A directory with Grace of Operations, and the group of Retail. */
const directory: Readonly<Record<string, unknown>> = {
  [`/groups/${shoppers}`]: {
    id: shoppers,
    displayName: 'Shoppers',
    groupTypes: ['Unified', 'DynamicMembership'],
    securityEnabled: false,
    membershipRule: 'user.department -eq "Retail"',
    membershipRuleProcessingState: 'On',
  },
  [`/users/${grace}`]: {
    id: grace,
    displayName: 'Grace Hopper',
    userPrincipalName: 'grace@contoso.example',
    department: 'Operations',
    accountEnabled: true,
  },
  '/applications': {
    value: [
      {
        id: clientId,
        appId: clientId,
        displayName: 'Storefront sign-in',
        groupMembershipClaims: 'All',
      },
    ],
  },
  '/servicePrincipals': { value: [] },
};
const sourceLinks = {
  ofApp: () => undefined,
  ofGroup: () => undefined,
  ofRegistration: () => undefined,
};
const context = {
  readDirectory: <T>(path: string): Promise<T | undefined> =>
    Promise.resolve(directory[path.split('?')[0] ?? ''] as T | undefined),
  sourceLinks: sourceLinks as unknown as SourceLinks,
  tenantId,
  now: 0,
};

describe('the simulator', () => {
  it('says in one sentence why a person is refused, marks the step that decides, and offers a sufficient change', async () => {
    const answer = await simulate({ app, path: '/', person: grace }, context);
    expect(answer).toMatchObject({
      allowed: false,
      status: 403,
      person: { name: 'Grace Hopper' },
      sentence:
        "Grace is not in Shoppers: the rule needs department = Retail; Grace's is Operations.",
      asked: [
        { name: 'department', value: 'Operations' },
        { name: 'accountEnabled', value: 'true' },
      ],
    });
    expect(answer.steps.filter(({ decides }) => decides)).toEqual([
      {
        kind: 'rule',
        title: 'Member of Shoppers',
        detail: 'needs department = Retail; it is Operations',
        verdict: 'fail',
        decides: true,
        href: `#/groups/${shoppers}`,
      },
    ]);
    expect(answer.remedies[0]).toEqual({
      text: 'Set department to Retail for Grace',
      attributes: { department: 'Retail' },
    });
  });

  it.each([
    [{ department: 'Retail' }, true, 200, 'Grace is in Shoppers: department = Retail.'],
    [
      { department: 'Retail', accountEnabled: 'false' },
      false,
      302,
      'The account of Grace is disabled: the directory issues no token.',
    ],
    [
      { department: '' },
      false,
      403,
      "Grace is not in Shoppers: the rule needs department = Retail; Grace's is not set.",
    ],
  ])('answers what would happen with %j', async (attributes, allowed, status, sentence) => {
    const answer = await simulate({ app, path: '/', person: grace, attributes }, context);
    expect(answer).toMatchObject({ allowed, status, sentence, attributes });
  });

  it('answers for somebody who is in no directory', async () => {
    const attributes = { department: 'Retail', accountEnabled: 'true' };
    expect(await simulate({ app, path: '/', attributes }, context)).toMatchObject({
      allowed: true,
      sentence: 'Somebody is in Shoppers: department = Retail.',
    });
  });

  it('says which group a path needs, and how to get into it', async () => {
    const requirements = [{ path: '/admin', groups: [shoppers] }];
    const openProvider = {
      ...app.auth.identityProviders.azureActiveDirectory,
      validation: undefined,
    };
    const auth = {
      ...app.auth,
      globalValidation: { ...app.auth.globalValidation, requirements },
      identityProviders: { azureActiveDirectory: openProvider },
    };
    const question = { app: { name: 'storefront', auth }, person: grace };
    expect(await simulate({ ...question, path: '/' }, context)).toMatchObject({ allowed: true });
    expect(await simulate({ ...question, path: '/admin' }, context)).toMatchObject({
      allowed: false,
      status: 403,
      sentence: 'Grace is signed in, but not in Shoppers, which /admin needs.',
      remedies: [{ text: 'Change the rule of Shoppers' }, { text: 'Change what /admin needs' }],
    });
  });

  it.each([
    ['/', 'A browser without a session is sent to the sign-in.', 'action'],
    ['/healthz', '/healthz is public: nobody has to sign in.', 'path'],
  ])('answers for a browser without a session at %s', async (path, sentence, kind) => {
    const answer = await simulate({ app, path }, context);
    expect(answer).toMatchObject({ sentence });
    expect(answer.steps.find(({ decides }) => decides)).toMatchObject({ kind });
  });
});

describe('the proof about all who may exist', () => {
  it('finds an example that the simulator lets in', async () => {
    const proof = await proveNoAccess(app, 'user.userType -eq "Guest"', context);
    expect(proof).toMatchObject({
      verdict: 'somebody',
      attributes: { department: 'Retail', userType: 'Guest' },
      ways: [
        'everybody at /healthz',
        'only people by the rule of Shoppers: user.department -eq "Retail", whose account is enabled',
      ],
    });
    const { attributes = {} } = proof as Exclude<typeof proof, string>;
    expect(await simulate({ app, path: '/', attributes }, context)).toMatchObject({
      allowed: true,
    });
  });

  it('carries the groups and the role of an example over to the simulator', async () => {
    const directoryWithPartners = {
      ...directory,
      [`/groups/${shoppers}`]: { id: shoppers, displayName: 'Partners', securityEnabled: true },
      '/servicePrincipals': {
        value: [{ id: grace, appId: clientId, appRoleAssignmentRequired: true }],
      },
    };
    const readDirectory = <T>(path: string): Promise<T | undefined> =>
      Promise.resolve(
        directoryWithPartners[path.split('?')[0] as keyof typeof directoryWithPartners] as
          T | undefined,
      );
    const proof = await proveNoAccess(app, 'user.userType -eq "Guest"', {
      ...context,
      readDirectory,
    });
    expect(proof).toMatchObject({
      verdict: 'somebody',
      attributes: { userType: 'Guest', groups: 'Partners', role: 'true' },
    });
    const { attributes = {} } = proof as Exclude<typeof proof, string>;
    const simulateWith = (givenAttributes: Readonly<Record<string, string>>) =>
      simulate({ app, path: '/', attributes: givenAttributes }, { ...context, readDirectory });
    expect(await simulateWith(attributes)).toMatchObject({
      allowed: true,
      asked: [{ name: 'accountEnabled' }, { name: 'groups' }, { name: 'role' }],
    });
    expect(await simulateWith({ userType: 'Guest', role: 'true' })).toMatchObject({
      allowed: false,
    });
    expect(await simulateWith({ userType: 'Guest', groups: 'Partners' })).toMatchObject({
      allowed: false,
    });
  });

  it('proves that nobody gets in, and says what is wrong with a rule', async () => {
    expect(await proveNoAccess(app, 'user.department -eq "Sales"', context)).toMatchObject({
      verdict: 'nobody',
      text: 'Nobody (proved for all possible people).',
    });
    expect(await proveNoAccess(app, 'user.departmnt -eq "Sales"', context)).toContain('departmnt');
  });
});
