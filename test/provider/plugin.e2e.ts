import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { castellan, root } from '../support/cli.js';
import { kill, processesWith } from '../support/processes.js';
import { parseServeOptions } from '../../sandbox/serve/options.js';
import { serve } from '../../sandbox/serve/serve.js';
import { testToken } from './support/control-plane.js';
import { createWorkspace, type Workspace } from './support/terraform.js';

/** Answers token requests as the sign-in service does, and remembers them. */
async function startTokenEndpoint(tokenRequests: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      tokenRequests.push(`${request.url ?? ''} ${body}`);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ token_type: 'Bearer', expires_in: 3600, access_token: testToken() }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/**
 * Passes requests on to a service; the first POST to each of some paths gets no answer: the client
 * never learns what the service did with it.
 */
async function startProxyThatDropsAnswers(
  origin: string,
  paths: readonly string[],
  onDroppedAnswer: () => void,
): Promise<Server> {
  const pathsToDrop = new Set(paths);
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = 'GET', url = '', headers } = request;
      const body = method === 'GET' ? {} : { body: Buffer.concat(parts) };
      const { authorization = '', 'content-type': type = 'application/json' } = headers;
      void fetch(`${origin}${url}`, {
        method,
        headers: { authorization, 'content-type': type },
        ...body,
      }).then(async (answer) => {
        if (method === 'POST' && pathsToDrop.delete(url)) {
          onDroppedAnswer();
          response.destroy();
          return;
        }
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? 'application/json',
        });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const devOverrides = (plugin: string): string =>
  `provider_installation {\n  dev_overrides { "castellan/castellan" = ${JSON.stringify(plugin)} }\n  direct {}\n}\n`;

const workspaceId = 'aaaaaaaa-0000-4000-8000-00000000000a';
const groupId = 'aaaaaaaa-0000-4000-8000-00000000000b';
const capacityId = 'cccccccc-0000-4000-8000-000000000001';
const seed = `
capacities: [{ id: ${capacityId}, displayName: main, sku: F2, region: West Europe, state: Active }]
workspaces: [{ id: ${workspaceId}, displayName: Telemetry, capacityId: ${capacityId} }]
groups: [{ id: ${groupId}, displayName: Shoppers, mailNickname: shoppers, mailEnabled: true, securityEnabled: true, groupTypes: [Unified] }]
`;

describe('castellan/castellan launched by terraform', () => {
  let folder: string;
  let tokenEndpoint: Server;
  let tokenRequests: string[];
  let services: Awaited<ReturnType<typeof serve>>;
  let plugins: string;
  /**
   * The plugin by a development override, without init, and the settings of terraform that say so.
   */
  let override: { readonly plugin: string; readonly rc: string };
  let env: Record<string, string>;
  const config = {
    terraform: { required_providers: { castellan: { source: 'castellan/castellan' } } },
    resource: {
      castellan_group_settings: {
        tenant: { template: 'Group.Unified', values: { EnableGroupCreation: 'false' } },
      },
    },
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cas-plugin-'));
    plugins = join(folder, '.terraform.d', 'plugins');
    tokenRequests = [];
    tokenEndpoint = await startTokenEndpoint(tokenRequests);
    await writeFile(join(folder, 'seed.yaml'), seed);
    const flags = {
      seed: join(folder, 'seed.yaml'),
      listen: '127.0.0.1:0',
      database: 'memory:',
      dialect: 'azure',
      throttle: 'off',
      logLevel: 'silent',
      auth: false,
      longRunning: 'never',
      longRunningSeconds: '0',
    };
    services = await serve(parseServeOptions(['directory', 'items'], flags));
    const { exitCode, stdout } = await castellan([
      'provider',
      'install',
      '--plugin-dir',
      join(folder, 'override'),
    ]);
    expect(exitCode).toBe(0);
    override = { plugin: dirname(stdout.trim()), rc: join(folder, 'dev.tfrc') };
    await writeFile(override.rc, devOverrides(override.plugin));
    env = {
      CASTELLAN_DIRECTORY_ENDPOINT: services.origin,
      FABRIC_ENDPOINT: services.origin,
      ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST: `http://127.0.0.1:${(tokenEndpoint.address() as AddressInfo).port}`,
      ARM_TENANT_ID: '11111111-2222-4333-8444-555555555555',
      ARM_CLIENT_ID: 'client',
      ARM_CLIENT_SECRET: 'a-client-secret',
    };
  });
  afterAll(async () => {
    await services.close();
    tokenEndpoint.close();
    await rm(folder, { recursive: true, force: true });
  });

  const applyAndDestroy = async (workspace: Workspace): Promise<void> => {
    const applied = await workspace.succeed('apply', '-auto-approve');
    expect(applied).toContain('1 added');
    expect(applied).not.toContain('a-client-secret');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('1 destroyed');
    expect(tokenRequests.some((each) => each.includes('client_secret=a-client-secret'))).toBe(true);
  };

  test('plans without init if a development override names it', async () => {
    const workspace = await createWorkspace({ ...env, TF_CLI_CONFIG_FILE: override.rc });
    await workspace.write(config);
    expect(await workspace.succeed('plan')).toContain('1 to add');
    await workspace.remove();
  });

  test('applies and destroys after an ordinary init, which finds it in the plugin folder', async () => {
    const { stdout } = await castellan(['provider', 'install', '--plugin-dir', plugins]);
    expect((await castellan(['provider', 'path', '--plugin-dir', plugins])).stdout).toBe(stdout);
    const workspace = await createWorkspace({ ...env, HOME: folder });
    await workspace.write(config);
    expect(await workspace.succeed('init')).toContain('castellan/castellan');
    await applyAndDestroy(workspace);
    await workspace.remove();
    expect((await castellan(['provider', 'uninstall', '--plugin-dir', plugins])).stderr).toContain(
      'Removed',
    );
    expect((await castellan(['provider', 'uninstall', '--plugin-dir', plugins])).stderr).toContain(
      'Nothing to remove',
    );
  });

  const resources: Readonly<Record<string, object>> = {
    '/v1.0/groupSettings': config.resource,
    '/v1.0/groupLifecyclePolicies': {
      castellan_group_lifecycle_policy: {
        all: {
          group_lifetime_in_days: 200,
          managed_group_types: 'All',
          alternate_notification_emails: ['a@b.example'],
        },
      },
    },
    [`/v1/workspaces/${workspaceId}/eventhouses`]: {
      castellan_eventhouse: { store: { workspace_id: workspaceId, display_name: 'store' } },
    },
    [`/v1.0/groups/${groupId}/settings`]: {
      castellan_group_settings: {
        ...config.resource.castellan_group_settings,
        guests: {
          template: 'Group.Unified.Guest',
          group_object_id: groupId,
          values: { AllowToAddGuests: 'false' },
        },
      },
    },
  };

  test('after a kill while an object of any type was created, the next apply adopts it', async () => {
    const proxy = await startProxyThatDropsAnswers(services.origin, Object.keys(resources), () =>
      processesWith(override.plugin).forEach(kill),
    );
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const workspace = await createWorkspace({
      ...env,
      CASTELLAN_DIRECTORY_ENDPOINT: origin,
      FABRIC_ENDPOINT: origin,
      TF_CLI_CONFIG_FILE: override.rc,
    });
    let declared = {};
    for (const resource of Object.values(resources)) {
      declared = { ...declared, ...resource };
      await workspace.write({ ...config, resource: declared });
      expect(await workspace.fail('apply', '-auto-approve')).toMatch(
        /Plugin did not respond|Request cancelled/,
      );
    }
    expect(await workspace.succeed('apply', '-auto-approve')).toMatch(/[1-4] added/);
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('4 destroyed');
    expect(readdirSync(join(workspace.folder, '.terraform/castellan/creations/default'))).toEqual(
      [],
    );
    await workspace.remove();
    proxy.close();
  });

  test('an object created in one workspace of a folder is not adopted in another', async () => {
    const workspace = await createWorkspace({ ...env, TF_CLI_CONFIG_FILE: override.rc });
    await workspace.write(config);
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 added');
    await workspace.succeed('workspace', 'new', 'other');
    expect(await workspace.fail('apply', '-auto-approve')).toContain('already');
    await workspace.succeed('workspace', 'select', 'default');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('1 destroyed');
    await workspace.remove();
  });

  test('explains itself and exits with 1 when it is started by hand', async () => {
    const script = `require(${JSON.stringify(join(root, 'dist/cli/plugin.js'))}).main()`;
    const result = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile(process.execPath, ['-e', script], (error, _stdout, stderr) =>
        done({ code: error?.code, stderr }),
      );
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Terraform starts it');
  });
});
