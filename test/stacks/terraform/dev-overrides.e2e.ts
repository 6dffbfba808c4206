import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../support/cli.js';
import { installPlugin } from '../../../provider/plugin-installation.js';
import { findTerraform } from '../../../stacks/terraform/find-terraform.js';
import { Terraform } from '../../../stacks/terraform/terraform.js';

test('a stack whose providers come from folders is planned and applied without asking a registry', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-dev-'));
  const plugin = await installPlugin({
    pluginDir: join(folder, 'plugins'),
    program: join(root, 'dist/cli/plugin.js'),
  });
  const settings = join(folder, 'terraform.rc');
  writeFileSync(
    settings,
    `provider_installation {\n  dev_overrides { "castellan/castellan" = "${dirname(plugin)}" }\n  direct {}\n}\n`,
  );
  writeFileSync(
    join(folder, 'cdk.tf.json'),
    JSON.stringify({
      terraform: {
        required_providers: { castellan: { source: 'castellan/castellan', version: '99.0.0' } },
        backend: { local: { path: join(folder, 'kept.tfstate') } },
      },
      provider: { castellan: {} },
      output: { said: { value: 'hello' } },
    }),
  );
  const env = { PATH: process.env['PATH'], HOME: folder, TF_CLI_CONFIG_FILE: settings };
  const program = await findTerraform({
    projectDir: folder,
    env: { ...process.env },
    download: 'refused',
    announce: () => undefined,
  });
  const terraform = new Terraform({ program, directory: folder, env });
  await terraform.init();
  await terraform.plan('plan.bin');
  await terraform.apply('plan.bin');
  expect(readFileSync(join(folder, 'kept.tfstate'), 'utf8')).toContain('hello');
  rmSync(folder, { recursive: true, force: true });
});
