import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CastellanStack, ContainerApp, Registration, Secret } from '../../constructs/index.js';
import type { StackConfig } from '../../kinds/index.js';
import { withoutComments } from '../constructs/support/synthesized.js';
import { synthesizedConfig } from './support.js';

const azure = { location: 'westeurope', resourceGroup: 'rg' };
const certificateId = '/subscriptions/s/certificates/shop';
const cache = {
  image: 'ghcr.io/contoso/cache:3.1',
  args: ['--verbose'],
  cpu: 0.5,
  memory: '1Gi',
  env: { LEVEL: 'info', TOKEN: { secret: 'token' } },
  probes: { liveness: { transport: 'tcp', port: 6379 } },
} as const;
const containers = { cache, log: { image: 'ghcr.io/contoso/log:1.0' } };
const customDomains = { 'shop.contoso.example': { certificateId }, 'www.contoso.example': {} };
const config = {
  version: 1,
  stack: 'shop',
  azure,
  registrations: { login: { displayName: 'Sign-in' } },
  containerApps: {
    web: {
      image: 'nginx:1',
      targetPort: 80,
      ingress: { external: true },
      secrets: { token: '${env:TOKEN}' },
      containers,
      customDomains,
      auth: { providers: { directory: { registration: 'login' } } },
    },
  },
} as unknown as StackConfig;

/** The JSON of a program that declares the same stack: by props, or by methods. */
function synthesizeByProgram(way: 'props' | 'methods'): string {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-containers-')) });
  const stack = new CastellanStack(app, 'shop', { azure });
  const registration = new Registration(stack, 'login', { displayName: 'Sign-in' });
  const web = new ContainerApp(stack, 'web', {
    image: 'nginx:1',
    targetPort: 80,
    ingress: { external: true },
    secrets: { token: Secret.fromEnvironment('TOKEN') },
    auth: { providers: { directory: { registration } } },
    ...(way === 'props' ? { containers, customDomains } : {}),
  });
  if (way === 'methods') {
    web.addContainer('cache', cache);
    web.addContainer('log', containers.log);
    web.addCustomDomain('shop.contoso.example', { certificateId });
    web.addCustomDomain('www.contoso.example');
  }
  app.synth();
  return readFileSync(join(app.outdir, 'stacks/shop/cdk.tf.json'), 'utf8');
}

it.each(['props', 'methods'] as const)(
  'a configuration with further containers and domains gives the resources of a program with %s, byte for byte',
  (way) => {
    const { json } = synthesizedConfig(config);
    // comments tell where something is in the construct tree
    const { resource } = withoutComments(JSON.parse(synthesizeByProgram(way))) as typeof json;
    expect(JSON.stringify(resource)).toBe(JSON.stringify(json.resource));
    expect(Object.keys(json.resource['azurerm_container_app_custom_domain'] ?? {})).toHaveLength(2);
    expect(JSON.stringify(json.resource['azuread_application_redirect_uris'])).toContain(
      'https://www.contoso.example/.auth/login/aad/callback',
    );
  },
);
