import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-apply-'));
  writeFileSync(
    join(folder, 'castellan.yaml'),
    'version: 1\nstack: people\ngroups:\n  admins: { kind: security, displayName: Admins }\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what happens before an apply', () => {
  it('is checked by the policy beside it, like `castellan check`', async () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { group-two-owners: error }\n',
    );
    const { exitCode, stderr } = await runCli(['up', '.'], { cwd: folder });
    expect(stderr).toContain(
      'castellan.yaml:4:3: the group has no owner; at least two are recommended (group-two-owners)',
    );
    expect([exitCode, existsSync(join(folder, '.castellan'))]).toEqual([1, false]);
  });

  it('is refused for the cloud where only our own sign-in layer has what it declares', async () => {
    writeFileSync(
      join(folder, 'castellan.yaml'),
      `version: 1
stack: shop
azure: { location: westeurope }
containerApps:
  web:
    image: nginx:1
    targetPort: 80
    ingress: { external: true }
    auth:
      requirements: [{ path: /admin, maxAge: 600 }]
      providers: { codehost: { clientId: a, clientSecret: '\${env:CODEHOST}' } }
`,
    );
    const { exitCode, stderr } = await runCli(['plan', '.', '--target', 'azure'], { cwd: folder });
    expect(stderr).toContain(
      "the cloud's sign-in layer has no requirements by path: put castellan sidecar in front of the app there (auth-cloud-layer)",
    );
    expect(exitCode).toBe(1);
  });

  it('must exist', async () => {
    mkdirSync(join(folder, 'empty'));
    const { exitCode, stderr } = await runCli(['plan', 'empty'], { cwd: folder });
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('there is no castellan.yaml in empty'),
    ]);
  });

  it('need not start a sandbox if `down` has nothing to delete', async () => {
    const { exitCode, stdout, stderr } = await runCli(['down'], { cwd: folder });
    expect([exitCode, stdout]).toEqual([0, 'people: nothing to delete\n']);
    expect(stderr).toContain('belongs in the folder where `up` ran');
    expect(existsSync(join(folder, '.castellan'))).toBe(false);
  });
});
