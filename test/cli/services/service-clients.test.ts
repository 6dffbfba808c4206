import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectApi,
  connectDirectory,
  connectItems,
} from '../../../cli/services/service-clients.js';
import type { ServiceFlags } from '../../../cli/services/service-options.js';

describe('the services that a command asks', () => {
  const requestedUrls: string[] = [];
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-services-'));
  const io = (env: Record<string, string>) => ({
    cwd,
    env: { CASTELLAN_TOKEN: 'token', ...env },
    stdout: process.stdout,
    stderr: process.stderr,
  });
  beforeEach(() => {
    requestedUrls.length = 0;
    vi.stubGlobal('fetch', (url: string | URL) => {
      requestedUrls.push(String(url));
      return Promise.resolve(Response.json({ value: [] }));
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  const askBoth = async (flags: ServiceFlags, env: Record<string, string>): Promise<string[]> => {
    const directory = await connectDirectory(flags, io(env));
    for await (const _ of directory.groups.list()) expect.unreachable();
    const items = await connectItems(flags, io(env));
    for await (const _ of items.workspaces.list()) expect.unreachable();
    return requestedUrls.map((url) => new URL(url).origin);
  };

  it.each([
    ['without a setting', {}, {}],
    ['with empty variables', {}, { CASTELLAN_SANDBOX: '', FABRIC_ENDPOINT: '' }],
    [
      'of the resource manager',
      {},
      { ARM_RESOURCE_MANAGER_ENDPOINT: 'https://management.azure.com/' },
    ],
    ['of the directory', { endpoint: 'https://graph.microsoft.com' }, {}],
  ])('are those of the cloud by its address %s', async (_, flags, env) => {
    expect(await askBoth(flags, env)).toEqual([
      'https://graph.microsoft.com',
      'https://api.fabric.microsoft.com',
    ]);
  });

  it('are those of the variables, and of --endpoint before them', async () => {
    const env = {
      CASTELLAN_SANDBOX: 'https://one.example',
      FABRIC_ENDPOINT: 'https://two.example',
    };
    expect(await askBoth({}, env)).toEqual(['https://one.example', 'https://two.example']);
    requestedUrls.length = 0;
    expect(await askBoth({ endpoint: 'https://three.example' }, env)).toEqual([
      'https://three.example',
      'https://three.example',
    ]);
  });

  it.each([
    [{}, 'CASTELLAN_SANDBOX', 'CASTELLAN_SANDBOX nowhere: '],
    [{}, 'ARM_RESOURCE_MANAGER_ENDPOINT', 'ARM_RESOURCE_MANAGER_ENDPOINT nowhere: '],
    [{ endpoint: 'nowhere' }, 'CASTELLAN_SANDBOX', '--endpoint nowhere: '],
  ])('are refused where %j or %s has no address', async (flags, name, message) => {
    await expect(connectDirectory(flags, io({ [name]: 'nowhere' }))).rejects.toMatchObject({
      code: 'CAS8001',
      message: expect.stringContaining(`${message}allowed is an http or https address`) as string,
    });
  });

  it('are not chosen by two flags', async () => {
    await expect(
      connectDirectory({ sandbox: true, endpoint: 'https://one.example' }, io({})),
    ).rejects.toMatchObject({
      code: 'CAS8001',
      message: expect.stringContaining('--sandbox and --endpoint exclude each other') as string,
    });
  });

  it('names what is missing to read apps', async () => {
    await expect(connectApi({}, io({ ARM_SUBSCRIPTION_ID: '' }))).rejects.toMatchObject({
      code: 'CAS1002',
      message: expect.stringMatching(/ARM_SUBSCRIPTION_ID is needed .*no sandbox runs/) as string,
    });
    await expect(
      connectApi(
        { endpoint: 'http://127.0.0.1:8080' },
        io({ ARM_SUBSCRIPTION_ID: 's', CASTELLAN_TOKEN: '' }),
      ),
    ).rejects.toMatchObject({
      code: 'CAS1002',
      message: expect.stringContaining('CASTELLAN_TOKEN or a client secret is needed') as string,
    });
  });
});
