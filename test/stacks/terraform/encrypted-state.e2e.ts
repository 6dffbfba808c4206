import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/cli.js';
import { Sandbox } from '../../../testing/index.js';

const encryption = `
key_provider "pbkdf2" "key" { passphrase = "correct-horse-battery" }
method "aes_gcm" "method" { keys = key_provider.pbkdf2.key }
state { method = method.aes_gcm.method }
plan { method = method.aes_gcm.method }`;

describe.runIf(process.env['CASTELLAN_ENGINE'] === 'tofu')('an encrypted state of OpenTofu', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    vi.stubEnv('TF_ENCRYPTION', encryption);
    sandbox = await Sandbox.start({ files: `${root}/examples/storefront`, engine: 'tofu' });
  });
  afterAll(async () => {
    await sandbox.stop();
    vi.unstubAllEnvs();
  });

  it('is applied, planned without changes and read for outputs', async () => {
    const up = await sandbox.castellan('up');
    expect(up, up.stderr).toMatchObject({ exitCode: 0 });
    const folder = join(sandbox.folder, '.castellan');
    const state = readFileSync(join(folder, 'terraform.storefront.tfstate'), 'utf8');
    expect(state).toContain('"encrypted_data"');
    expect(openCreations(join(folder, 'creations'))).toEqual([]);

    const plan = await sandbox.castellan('plan');
    expect(plan.stdout, plan.stderr).toContain('storefront: no changes');
    const output = await sandbox.castellan('output', '--json');
    expect(output.stdout, output.stderr).toContain('containerApps.storefront.url');

    const check = await sandbox.castellan(
      'check',
      '--state',
      '.castellan/terraform.storefront.tfstate',
    );
    expect(check.stderr).toContain('it is encrypted by OpenTofu');
    expect(check.stderr).toContain('tofu show -json');
  }, 300_000);
});

/** The objects that the journals of the providers do not know to be in a state. */
function openCreations(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((provider) =>
    readdirSync(join(folder, provider)).map((entry) => `${provider}/${entry}`),
  );
}
