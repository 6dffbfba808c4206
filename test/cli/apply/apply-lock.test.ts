import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { takeLock } from '../../../sandbox/background/lock.js';
import { runCli } from '../../support/run-cli.js';
import { useProject } from '../commands/support/project.js';
import { setTimeout as wait } from 'node:timers/promises';

const { path } = useProject();

describe.each([
  { options: [], folder: '.castellan/azure', name: '' },
  {
    options: ['-e', 'prod'],
    folder: '.castellan/environments/prod/azure',
    name: ' (environment prod)',
  },
])('in the cloud, a command with $options', ({ options, folder, name }) => {
  it('waits for another one in this folder: the approval of a plan applies no other', async () => {
    writeFileSync(path('castellan.yaml'), 'version: 1\nstack: shop\n');
    writeFileSync(path('castellan.prod.yaml'), 'version: 1\n');
    writeFileSync(
      path('terraform'),
      `#!/bin/sh
case "$1" in
  version) echo 'Terraform v1.12.0' ;;
  plan) touch castellan.tfplan ;;
  show) echo '{"format_version":"1.2","resource_changes":[]}' ;;
esac
`,
      { mode: 0o755 },
    );
    mkdirSync(path(folder), { recursive: true });
    const lock = takeLock(path(`${folder}/apply.lock`));
    const planned = runCli(['plan', '--target', 'azure', ...options], {
      cwd: path(),
      env: { CASTELLAN_TERRAFORM: path('terraform') },
    });
    await Promise.race([planned, wait(1_500)]);
    expect(existsSync(path(`${folder}/stacks`))).toBe(false);
    lock?.release();
    expect(await planned).toMatchObject({
      exitCode: 0,
      stdout: 'shop: no changes\n',
      stderr: expect.stringContaining(
        `another castellan works on ${path()}${name} with --target azure: waiting for it\n`,
      ) as string,
    });
  });
});
