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

describe('before up, plan and down work', () => {
  it('up checks castellan.yaml by the policy beside it, like `castellan check`', async () => {
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

  it('plan refuses for the cloud what only our own sign-in layer has', async () => {
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

  it('plan refuses an engine that is too old, and starts no sandbox', async () => {
    const program = join(folder, 'terraform');
    writeFileSync(program, '#!/bin/sh\necho "Terraform v1.5.7"\n', { mode: 0o755 });
    const { exitCode, stderr } = await runCli(['plan', '.'], {
      cwd: folder,
      env: { CASTELLAN_TERRAFORM: program },
    });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        `${program} is Terraform 1.5.7, and stacks need Terraform 1.11 or later`,
      ),
    ]);
    expect(existsSync(join(folder, '.castellan', 'settings.json'))).toBe(false);
  });

  it('plan fails in a folder without castellan.yaml', async () => {
    mkdirSync(join(folder, 'empty'));
    const { exitCode, stderr } = await runCli(['plan', 'empty'], { cwd: folder });
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('there is no castellan.yaml in empty'),
    ]);
  });

  it('down starts no sandbox if there is nothing to delete', async () => {
    const { exitCode, stdout, stderr } = await runCli(['down'], { cwd: folder });
    expect([exitCode, stdout]).toEqual([0, 'people: nothing to delete\n']);
    expect(stderr).toContain('belongs in the folder where `up` ran');
    expect(existsSync(join(folder, '.castellan'))).toBe(false);
  });
});
