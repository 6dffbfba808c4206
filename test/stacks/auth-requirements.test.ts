import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  ContainerApp,
  Registration,
  Secret,
  SecurityGroup,
} from '../../constructs/index.js';
import type { StackConfig } from '../../kinds/index.js';
import { withoutComments } from '../constructs/support/synthesized.js';
import { synthesizedConfig } from './support.js';

const azure = { location: 'westeurope', resourceGroup: 'rg' };
const stackConfig = {
  version: 1,
  stack: 'shop',
  azure,
  groups: { staff: { kind: 'security', displayName: 'Staff' } },
  registrations: { login: { displayName: 'Sign-in' } },
  containerApps: {
    web: {
      image: 'nginx:1',
      targetPort: 80,
      ingress: { external: true },
      auth: {
        redirectTo: 'directory',
        requirements: [
          { maxAge: '00:10:00', groups: ['staff', 'writers'], path: '/admin' },
          { path: '/reports', claims: { department: ['Finance'] }, emailDomains: ['c.example'] },
          { acrValues: ['mfa'], maxAge: 600, path: '/pay' },
        ],
        providers: {
          directory: { registration: 'login', requiredClaims: { department: ['Retail'] } },
          openIdConnect: {
            partner: {
              clientId: 'p',
              clientSecret: '${env:PARTNER}',
              wellKnownConfiguration: 'https://idp.example/.well-known/openid-configuration',
              allowedGroups: ['writers'],
              requiredClaims: { plan: ['pro'] },
            },
          },
        },
      },
    },
  },
} as unknown as StackConfig;

function synthesizeProgram(): string {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-requirements-'));
  const app = new App({ outdir });
  const stack = new CastellanStack(app, 'shop', { azure });
  const staff = new SecurityGroup(stack, 'staff', { displayName: 'Staff' });
  const login = new Registration(stack, 'login', { displayName: 'Sign-in' });
  new ContainerApp(stack, 'web', {
    image: 'nginx:1',
    targetPort: 80,
    ingress: { external: true },
    auth: {
      redirectTo: 'directory',
      requirements: [
        { path: '/admin', maxAge: '00:10:00', groups: [staff, 'writers'] },
        { path: '/reports', claims: { department: ['Finance'] }, emailDomains: ['c.example'] },
        { path: '/pay', acrValues: ['mfa'], maxAge: 600 },
      ],
      providers: {
        directory: { registration: login, requiredClaims: { department: ['Retail'] } },
        openIdConnect: {
          partner: {
            clientId: 'p',
            clientSecret: Secret.fromEnvironment('PARTNER'),
            wellKnownConfiguration: 'https://idp.example/.well-known/openid-configuration',
            allowedGroups: ['writers'],
            requiredClaims: { plan: ['pro'] },
          },
        },
      },
    },
  });
  app.synth();
  return readFileSync(join(outdir, 'stacks/shop/cdk.tf.json'), 'utf8');
}

type Json = Record<string, Record<string, Record<string, unknown>>>;
const authOf = (json: Json) => json['azapi_resource']?.['web'] as Record<string, unknown>;

it('writes requirements and rules of custom providers as programs do, byte for byte', () => {
  const { json } = synthesizedConfig(stackConfig);
  // comments tell where something is in the construct tree
  const { resource } = withoutComments(JSON.parse(synthesizeProgram())) as typeof json;
  expect(JSON.stringify(resource)).toBe(JSON.stringify(json.resource));
  expect(authOf(json.resource as Json)['body']).toMatchObject({
    properties: {
      globalValidation: {
        requirements: [
          {
            path: '/admin',
            maxAge: '00:10:00',
            groups: ['${azuread_group.staff.object_id}', 'writers'],
          },
          { path: '/reports', claims: { department: ['Finance'] }, emailDomains: ['c.example'] },
          { path: '/pay', acrValues: ['mfa'], maxAge: 600 },
        ],
      },
      identityProviders: {
        azureActiveDirectory: { validation: { requiredClaims: { department: ['Retail'] } } },
        customOpenIdConnectProviders: {
          partner: {
            validation: { allowedGroups: ['writers'], requiredClaims: { plan: ['pro'] } },
          },
        },
      },
    },
  });
});

it('turns off schema validation by azapi where the directory requires claims', () => {
  const { containerApps, ...otherSections } = stackConfig;
  const { web } = containerApps as unknown as Record<string, { auth: object }>;
  const auth = {
    providers: { directory: { registration: 'login', requiredClaims: { a: ['b'] } } },
  };
  const config = {
    ...otherSections,
    containerApps: { web: { ...web, auth } },
  } as unknown as StackConfig;
  const { json } = synthesizedConfig(config, { target: 'sandbox' });
  expect(authOf(json.resource as Json)['schema_validation_enabled']).toBe(false);
});

it('leaves schema validation on for the cloud, whose layer lacks requirements, and turns it off for the sandbox', () => {
  const switchOf = (target: 'azure' | 'sandbox') =>
    authOf(synthesizedConfig(stackConfig, { target }).json.resource as Json)[
      'schema_validation_enabled'
    ];
  expect([switchOf('azure'), switchOf('sandbox')]).toEqual([undefined, false]);
});
