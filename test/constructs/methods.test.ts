import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  checkTree,
  ContainerApp,
  Eventhouse,
  Eventstream,
  type EventstreamProps,
  Registration,
  Secret,
  Workspace,
} from '../../constructs/index.js';
import { synthesized, westEurope } from './support/synthesized.js';

const id = '11111111-1111-4222-8333-444455556666';
const other = '21111111-1111-4222-8333-444455556666';

/** The rules that find an error in what is declared. */
function brokenRules(declare: (stack: CastellanStack) => void): readonly string[] {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-methods-')) });
  const stack = new CastellanStack(app, 'shop', westEurope);
  declare(stack);
  return checkTree(stack).flatMap(({ verdict, severity, ruleId }) =>
    verdict === 'fail' && severity === 'error' ? [ruleId] : [],
  );
}

const newApp = (stack: CastellanStack, props = {}) =>
  new ContainerApp(stack, 'web', { image: 'ghcr.io/contoso/web:1.0', ...props });

describe('ContainerApp.addSecret', () => {
  it('declares a secret that the environment of a container may use', () => {
    const { resource } = synthesized((stack) => {
      const app = newApp(stack, { env: { TOKEN: { secret: 'token' } } });
      const token = app.addSecret('token', Secret.fromEnvironment('TOKEN'));
      expect(token.reference).toBe('secret:token');
      expect(app.declaration.value['secrets']).toEqual({ token: '${env:TOKEN}' });
    });
    expect(resource['azurerm_container_app']?.['web']?.['secret']).toEqual([
      { name: 'token', value: '${var.TOKEN}' },
    ]);
  });

  it('gives an app that reads a key vault an identity', () => {
    const { resource } = synthesized((stack) => {
      newApp(stack).addSecret('token', Secret.fromKeyVault('https://vault.example/secrets/token'));
    });
    expect(resource['azurerm_container_app']?.['web']).toMatchObject({
      identity: { type: 'SystemAssigned' },
      secret: [{ name: 'token', identity: 'System' }],
    });
  });

  it('is judged like the props, and refuses a second source', () => {
    expect(
      brokenRules(
        (stack) => void newApp(stack).addSecret('To_ken', Secret.fromEnvironment('TOKEN')),
      ),
    ).toContain('property-value');
    synthesized((stack) => {
      const app = newApp(stack, { secrets: { token: Secret.fromEnvironment('A') } });
      expect(() => app.addSecret('token', Secret.fromEnvironment('B'))).toThrow(/CAS2005|token/);
    });
  });
});

describe('ContainerApp.addContainer', () => {
  it('adds a container to each replica', () => {
    const { resource } = synthesized((stack) => {
      const app = newApp(stack, { targetPort: 8080, replicas: { min: 1, max: 2 } });
      app.addContainer('cache', {
        image: 'ghcr.io/contoso/cache:3.1',
        cpu: 0.5,
        env: { MODE: 'lru', PATTERN: '${x}' },
        probes: { liveness: { transport: 'tcp', port: 6379 } },
      });
    });
    expect(resource['azurerm_container_app']?.['web']?.['template']).toEqual({
      min_replicas: 1,
      max_replicas: 2,
      container: [
        { name: 'web', image: 'ghcr.io/contoso/web:1.0', cpu: 0.25, memory: '0.5Gi' },
        {
          name: 'cache',
          image: 'ghcr.io/contoso/cache:3.1',
          cpu: 0.5,
          memory: '1Gi',
          env: [
            { name: 'MODE', value: 'lru' },
            { name: 'PATTERN', value: '$${x}' },
          ],
          liveness_probe: [{ transport: 'TCP', port: 6379 }],
        },
      ],
    });
  });

  it('is judged with the sum of cores and memory, and by the rules about images and secrets', () => {
    const rules = brokenRules((stack) => {
      const app = newApp(stack, { cpu: 4 });
      app.addContainer('cache', { image: 'a b', env: { TOKEN: { secret: 'missing' } } });
    });
    expect(rules).toEqual(
      expect.arrayContaining(['app-cpu-memory', 'property-value', 'app-secret-references']),
    );
    expect(brokenRules((stack) => newApp(stack).addContainer('cache', { image: 'a:1' }))).toEqual(
      [],
    );
  });

  it('refuses a second container of one name', () => {
    synthesized((stack) => {
      const app = newApp(stack);
      expect(() => app.addContainer('web', { image: 'a:1' })).toThrow(/has a container "web"/);
    });
  });
});

describe('ContainerApp.addCustomDomain', () => {
  it('binds a domain with a certificate', () => {
    const certificateId = '/subscriptions/x/certificates/shop';
    const { resource } = synthesized((stack) => {
      const app = newApp(stack, { targetPort: 8080, ingress: { external: true } });
      app.addCustomDomain('shop.contoso.example', { certificateId });
      app.addCustomDomain('old.contoso.example');
    });
    expect(Object.values(resource['azurerm_container_app_custom_domain'] ?? {})).toEqual([
      {
        name: 'old.contoso.example',
        container_app_id: '${azurerm_container_app.web.id}',
        certificate_binding_type: 'Disabled',
      },
      {
        name: 'shop.contoso.example',
        container_app_id: '${azurerm_container_app.web.id}',
        certificate_binding_type: 'SniEnabled',
        container_app_environment_certificate_id: certificateId,
      },
    ]);
  });

  it('refuses a domain that the app has already, in any letter case', () => {
    synthesized((stack) => {
      const app = newApp(stack, { targetPort: 80, ingress: { external: true } });
      app.addCustomDomain('shop.contoso.example');
      expect(() => app.addCustomDomain('Shop.contoso.example')).toThrow(
        expect.objectContaining({ code: 'CAS2012', message: expect.stringContaining('already') }),
      );
    });
  });

  it('lets people sign in at the domain', () => {
    const { resource } = synthesized((stack) => {
      const registration = new Registration(stack, 'login', { displayName: 'Login' });
      const auth = { providers: { directory: { registration } } };
      newApp(stack, { targetPort: 8080, auth }).addCustomDomain('shop.contoso.example');
    });
    expect(resource['azuread_application_redirect_uris']?.['login']?.['redirect_uris']).toEqual([
      expect.stringMatching(/^https:\/\/web\.\$\{.+\}\/\.auth\/login\/aad\/callback$/) as string,
      'https://shop.contoso.example/.auth/login/aad/callback',
    ]);
  });

  it('refuses an address, and an app that cannot be reached', () => {
    synthesized((stack) => {
      const app = newApp(stack, { targetPort: 8080, ingress: { external: true } });
      expect(() => app.addCustomDomain('https://shop.contoso.example/')).toThrow(
        /is not a valid domain/,
      );
      const inner = new ContainerApp(stack, 'inner', { image: 'a:1' });
      expect(() => inner.addCustomDomain('shop.contoso.example')).toThrow(/ingress/);
    });
  });
});

describe('Eventstream.addSource', () => {
  const eventstreamWith = (
    declare: (stream: Eventstream, store: Eventhouse) => void,
    definition?: object,
  ) =>
    synthesized((stack) => {
      const workspace = new Workspace(stack, 'space', { displayName: 'Space', capacityId: id });
      const store = new Eventhouse(stack, 'store', { workspace, displayName: 'store' });
      const props = { workspace, displayName: 'clicks', ...(definition && { definition }) };
      declare(new Eventstream(stack, 'clicks', props as EventstreamProps), store);
    }).resource['fabric_eventstream']?.['clicks'];

  it('writes the same Terraform as the graph in the props', () => {
    const store = Eventhouse.fromItemId(new App(), 'store', { workspaceId: id, itemId: other });
    const fromMethods = eventstreamWith((stream) => {
      stream
        .addSource({ name: 'web', type: 'CustomEndpoint' })
        .through(
          { name: 'all', type: 'Union' },
          stream.addSource({ name: 'app', type: 'CustomEndpoint' }),
        )
        .to({ name: 'store', type: 'Eventhouse', eventhouse: store })
        .to({ name: 'out', type: 'CustomEndpoint' });
    });
    const fromProps = eventstreamWith(() => undefined, {
      sources: [
        { name: 'web', type: 'CustomEndpoint' },
        { name: 'app', type: 'CustomEndpoint' },
      ],
      operators: [{ name: 'all', type: 'Union', inputNodes: ['web', 'app'] }],
      destinations: [
        { name: 'store', type: 'Eventhouse', eventhouse: store, inputNodes: ['all'] },
        { name: 'out', type: 'CustomEndpoint', inputNodes: ['all'] },
      ],
    });
    expect(fromMethods).toEqual(fromProps);
  });

  it('is judged like the graph in the props', () => {
    const rules = brokenRules((stack) => {
      const workspace = new Workspace(stack, 'space', { displayName: 'Space', capacityId: id });
      const stream = new Eventstream(stack, 'clicks', { workspace, displayName: 'clicks' });
      stream.addSource({ name: 'web', type: 'CustomEndpoint' });
      stream.addSource({ name: 'web', type: 'CustomEndpoint' });
    });
    expect(rules).toContain('eventstream-definition');
  });

  it('refuses to add to a graph from a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'castellan-graph-')), 'graph.json');
    writeFileSync(
      file,
      JSON.stringify({ sources: [], destinations: [], streams: [], operators: [] }),
    );
    eventstreamWith(
      (stream) =>
        expect(() => stream.addSource({ name: 'web', type: 'CustomEndpoint' })).toThrow(/a file/),
      { file },
    );
  });
});

describe('Registration.addRole and exposeScope', () => {
  const role = {
    id,
    displayName: 'Packers',
    description: 'Who may pack',
    value: 'pack',
    allowedMemberTypes: ['User'],
  } as const;
  const scope = {
    id: other,
    value: 'orders.read',
    adminConsentDisplayName: 'Read orders',
    adminConsentDescription: 'Lets an app read orders',
  };

  it('write the same Terraform as the props', () => {
    const fromMethods = synthesized((stack) => {
      const login = new Registration(stack, 'login', { displayName: 'L' });
      login.addRedirectUri('https://shop.example/back');
      login.addRole(role);
      login.exposeScope(scope);
    });
    const fromProps = synthesized((stack) => {
      new Registration(stack, 'login', {
        displayName: 'L',
        redirectUris: ['https://shop.example/back'],
        appRoles: [role],
        scopes: [scope],
      });
    });
    expect(fromMethods).toEqual(fromProps);
    expect(fromMethods.resource['azuread_application_password']?.['login']).toMatchObject({
      application_id: '${azuread_application.login.id}',
    });
  });

  it('keep an override of the application when a role is added', () => {
    const { resource } = synthesized((stack) => {
      const login = new Registration(stack, 'login', { displayName: 'L', appRoles: [role] });
      login.application.addOverride('support_url', 'https://help.example');
      login.addRole({ ...role, id: other, value: 'send', displayName: 'Senders' });
    });
    expect(resource['azuread_application']?.['login']).toMatchObject({
      support_url: 'https://help.example',
      app_role: [{ value: 'pack' }, { value: 'send' }],
    });
  });

  it('are judged like the props', () => {
    const rules = brokenRules((stack) => {
      const login = new Registration(stack, 'login', { displayName: 'L' });
      login.addRole({ ...role, value: 'pa ck' });
    });
    expect(rules).toContain('property-value');
  });
});

test('a name in Terraform that comes too late is refused, with what to do', () => {
  const stack = new CastellanStack(new App(), 'shop', westEurope);
  const app = newApp(stack);
  expect(() => app.resource.overrideLogicalId('site')).toThrow(
    /shop\/web: the Terraform name web cannot be overridden, .* name the resource site, give the construct this id/,
  );
});
