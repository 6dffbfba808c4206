import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedDirectory } from '../services/directory/support/served.js';
import { id, user } from '../services/directory/support/directory.js';
import { cliPath } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-full-disk-'));
const file = join(folder, 'people.yaml');
let served: ServedDirectory;

/** A directory with a long last entry: an application to which many people are assigned. */
beforeAll(async () => {
  const people = Array.from({ length: 40 }, (_, index) => id(index + 1));
  const application = { displayName: 'Shop', appId: id(900) };
  served = await ServedDirectory.start({
    seed: {
      users: people.map((each) => user(each, {})),
      applications: [{ ...application, id: id(901) }],
      servicePrincipals: [
        {
          ...application,
          id: id(902),
          appRoleAssignedTo: people.map((principalId) => ({ principalId })),
        },
      ],
    },
  });
  writeFileSync(
    join(folder, 'castellan.yaml'),
    `version: 1
stack: shop
containerApps:
  shop:
    image: ghcr.io/contoso/shop@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { clientId: ${id(900)}, clientSecret: "\${env:SECRET}" } } }
`,
  );
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Takes a snapshot where a file has room for so many blocks of 512 bytes. */
function snapshotWithin(blocks: number): Promise<{ exitCode: number | null; stderr: string }> {
  const args = ['snapshot', '--from', 'live', '--endpoint', served.origin, '--out', file];
  const command = `ulimit -f ${String(blocks)}; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', command, process.execPath, cliPath, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done) => child.once('close', (exitCode) => done({ exitCode, stderr })));
}

test('a snapshot whose last entry does not fit on the disk fails and leaves no file', async () => {
  expect(await snapshotWithin(1_000)).toMatchObject({ exitCode: 0 });
  const { size } = statSync(file);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)?.length).toBeGreaterThan(512);
  rmSync(file);
  const { exitCode, stderr } = await snapshotWithin(Math.floor(size / 512));
  expect(stderr).toContain('CAS8203');
  expect([exitCode, readdirSync(folder)]).toEqual([2, ['castellan.yaml']]);
});
