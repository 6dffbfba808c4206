import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  ContainerApp,
  ContainerAppEnvironment,
  Eventhouse,
  Group,
  Registration,
  SecurityGroup,
  User,
  Workspace,
} from '../../../constructs/index.js';
import { TerraformStack } from '../../../constructs/internal/cdktf.js';
import { checkTree } from '../../../constructs/stack/check-tree.js';
import { type TerraformJson, withoutComments } from '../support/synthesized.js';

const ada = '11111111-1111-4222-8333-444455556666';
const azure = { location: 'westeurope', tenantId: ada };

function synthesized(app: App): (stack: TerraformStack) => TerraformJson {
  app.synth();
  return (stack) => {
    const file = join(app.outdir, 'stacks', stack.node.id, 'cdk.tf.json');
    return withoutComments(JSON.parse(readFileSync(file, 'utf8'))) as TerraformJson;
  };
}
const newApp = () => new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-stacks-')) });
const kinds: [string, (app: App, id: string) => TerraformStack][] = [
  ['castellan', (app, id) => new CastellanStack(app, id, { azure })],
  ['bare cdktf', (app, id) => new TerraformStack(app, id)],
  [
    'castellan with a backend in the cloud',
    (app, id) =>
      new CastellanStack(app, id, {
        azure,
        backend: {
          azurerm: {
            storageAccountName: 'shopstate',
            containerName: 'state',
            key: `${id}.tfstate`,
          },
        },
      }),
  ],
];

describe.each(kinds)('constructs of another stack of %s', (_kind, create) => {
  it('may be given to constructs, and are applied before them', () => {
    const app = newApp();
    const first = create(app, 'first');
    const workspace = new Workspace(first, 'w', { displayName: 'W', capacityId: ada });
    const group = new SecurityGroup(first, 'g', {
      displayName: 'G',
      owners: [User.fromObjectId(first, 'ada', ada)],
    });
    const second = create(app, 'second');
    new Eventhouse(second, 'e', { workspace, displayName: 'e' });
    const nested = new SecurityGroup(second, 'g', {
      displayName: 'Nested',
      owners: [ada],
      members: [group],
    });
    workspace.grant(User.fromObjectId(first, 'grace', ada), 'Viewer');
    new Workspace(second, 'v', {
      displayName: 'V',
      roles: [
        { principal: group, role: 'Viewer' },
        { principal: nested, role: 'Admin' },
      ],
    });
    const json = synthesized(app)(second);
    expect(second.dependencies).toEqual([first]);
    expect(json.data).toHaveProperty('terraform_remote_state');
    expect(json.resource['fabric_eventhouse']?.['e']?.['workspace_id']).toMatch(
      /^\$\{data\.terraform_remote_state\..*fabric_workspace/,
    );
    expect(json.resource['azuread_group']?.['g']?.['members']).toEqual([
      expect.stringMatching(/^\$\{data\.terraform_remote_state\.[\w-]+\.outputs/),
    ]);
    expect(
      checkTree(second)
        .filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error')
        .map(({ message }) => message),
    ).toEqual([]);
  });
});

describe('rules about constructs of another stack', () => {
  it('know what kind they are', () => {
    const app = newApp();
    const first = new CastellanStack(app, 'first', { azure });
    const inner = new Group(first, 'g', { kind: 'unified', displayName: 'G', owners: [ada] });
    const second = new CastellanStack(app, 'second', { azure });
    new SecurityGroup(second, 'g', { displayName: 'G', owners: [ada], members: [inner] });
    expect(checkTree(second).map(({ ruleId, message }) => `${ruleId}: ${message}`)).toContainEqual(
      expect.stringContaining('first:g'),
    );
  });
});

describe('the redirect URI of an app in another stack than its registration', () => {
  const declare = (environment?: (app: App, first: CastellanStack) => ContainerAppEnvironment) => {
    const app = newApp();
    const first = new CastellanStack(app, 'first', { azure });
    const registration = new Registration(first, 'login', { displayName: 'L' });
    const own = environment?.(app, first);
    const second = new CastellanStack(app, 'second', { azure });
    const web = new ContainerApp(second, 'web', {
      image: 'nginx:1',
      targetPort: 80,
      ...(own !== undefined && { environment: own }),
      auth: { providers: { directory: { registration } } },
    });
    return { app, first, second, registration, web };
  };
  const urisIn = (json: TerraformJson) => json.resource['azuread_application_redirect_uris'];

  it("is written in the app's stack, as its address depends on that stack", () => {
    const { app, first, second } = declare();
    const read = synthesized(app);
    expect(urisIn(read(first))).toBeUndefined();
    expect(Object.values(urisIn(read(second)) ?? {})).toEqual([
      {
        type: 'Web',
        application_id: expect.stringContaining('data.terraform_remote_state') as string,
        redirect_uris: [
          'https://web.${azurerm_container_app_environment.second.default_domain}/.auth/login/aad/callback',
        ],
      },
    ]);
    expect(second.dependencies).toEqual([first]);
    expect(first.dependencies).toEqual([]);
  });

  it("is written in the registration's stack where the address is known there", () => {
    const { app, first, second } = declare((_app, stack) => {
      return new ContainerAppEnvironment(stack, 'shared');
    });
    const read = synthesized(app);
    expect(urisIn(read(second))).toBeUndefined();
    expect(urisIn(read(first))?.['login']?.['redirect_uris']).toEqual([
      'https://web.${azurerm_container_app_environment.shared.default_domain}/.auth/login/aad/callback',
    ]);
  });

  it('is written beside that of a domain of the app', () => {
    const { app, first, second, web } = declare();
    web.addCustomDomain('shop.example');
    const read = synthesized(app);
    expect(urisIn(read(first))).toBeUndefined();
    expect(Object.values(urisIn(read(second)) ?? {})[0]?.['redirect_uris']).toEqual([
      'https://web.${azurerm_container_app_environment.second.default_domain}/.auth/login/aad/callback',
      'https://shop.example/.auth/login/aad/callback',
    ]);
  });

  it('has one owner', () => {
    const { first, registration } = declare();
    registration.addRedirectUri('https://shop.example/.auth/login/aad/callback');
    expect(
      checkTree(first)
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ ruleId, message }) => `${ruleId}: ${message}`),
    ).toEqual([
      'registration-redirect-uris: the redirect URIs are written by the stacks first and second, and each would remove those of the other: write all of them in one stack',
    ]);
  });
});
