import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../support/cli.js';
import { people, startSandbox, type TestSandbox } from '../e2e-support.js';
import { callsIn, clientsPage, type MadeCall, programs } from './programs.js';

/** A folder in which the clients are installed: `npm run test:long` makes it. */
const folder = process.env['CASTELLAN_CLIENTS'];
const redirectUri = 'https://localhost/callback';

describe.skipIf(folder === undefined)('unmodified clients', () => {
  let sandbox: TestSandbox;
  let env: NodeJS.ProcessEnv;
  const madeCalls: MadeCall[] = [];
  beforeAll(async () => {
    cpSync(join(__dirname, 'npm'), folder as string, { recursive: true });
    sandbox = await startSandbox();
    env = { ...process.env, ...(await environmentOf(sandbox, folder as string)) };
  });
  afterAll(() => sandbox.stop());

  test.each(programs.map((program) => [basename(program.file), program] as const))(
    'the program %s makes its calls without an error',
    async (_name, program) => {
      const { registry, file } = program;
      const [command, path] =
        registry === 'npm'
          ? [process.execPath, join(folder as string, basename(file))]
          : ['python3', file];
      const child = spawn(command, [path], { env, cwd: folder });
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      const lines = stdout.split('\n').filter((line) => line !== '');
      const calls = lines.map(
        (line) => ({ registry, ...(JSON.parse(line) as object) }) as MadeCall,
      );
      madeCalls.push(...calls);
      expect(
        calls.flatMap(({ call, error }) => (error === undefined ? [] : [call, error])),
      ).toEqual([]);
      expect(
        calls.map(({ call }) => call),
        stderr,
      ).toEqual(callsIn(program));
    },
  );

  test('docs/reference/clients.md has these calls (UPDATE_DOCS=1 writes it)', () => {
    const page = join(root, 'docs/reference/clients.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(page, clientsPage(madeCalls));
    expect(readFileSync(page, 'utf8')).toBe(clientsPage(madeCalls));
  });
});

/** The environment variables by which the programs know the sandbox. */
async function environmentOf(
  sandbox: TestSandbox,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const web = { redirectUris: [redirectUri] };
  const register = async (body: object) =>
    (await sandbox.api('POST', '/v1.0/applications', body)).body;
  const app = await register({ displayName: 'Web', web });
  const device = await register({ displayName: 'Device', isFallbackPublicClient: true });
  await sandbox.api('POST', '/v1.0/servicePrincipals', { appId: app.appId });
  const { body: password } = await sandbox.api(
    'POST',
    `/v1.0/applications/${app.id}/addPassword`,
    {},
  );
  const ca = join(sandbox.folder, '.castellan/ca.pem');
  const { identityHeader, ...settings } = JSON.parse(
    readFileSync(join(sandbox.folder, '.castellan/settings.json'), 'utf8'),
  ) as TestSandbox['settings'] & { readonly identityHeader: string };
  const { tenantId, subscriptionId, clientId, clientSecret } = settings;
  return {
    SANDBOX: JSON.stringify({
      origin: sandbox.origin,
      tenantId,
      subscriptionId,
      clientId,
      clientSecret,
      person: { id: people.ada, userPrincipalName: 'ada@contoso.example' },
      app: {
        appId: app.appId,
        secret: password.secretText,
        redirectUri,
        publicAppId: device.appId,
      },
    }),
    IDENTITY_ENDPOINT: `${sandbox.origin}/msi/token`,
    IDENTITY_HEADER: identityHeader,
    NODE_EXTRA_CA_CERTS: ca,
    SSL_CERT_FILE: ca,
    REQUESTS_CA_BUNDLE: ca,
    PYTHONPATH: join(folder, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
