import { chmodSync, mkdirSync } from 'node:fs';
import { runCli } from '../../support/run-cli.js';
import { useProject } from './support/project.js';

const { path, write, run } = useProject();

describe('castellan output', () => {
  it('says which state a killed run has left incomplete', async () => {
    mkdirSync(path('.castellan/stacks/shop'), { recursive: true });
    write(
      '.castellan/stacks/shop/cdk.tf.json',
      '{"terraform":{"backend":{"local":{"path":"../../terraform.shop.tfstate"}}}}',
    );
    write('.castellan/terraform.shop.tfstate', '{"version":4,"reso');
    const { exitCode, stderr } = await run('output');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        'CAS1001 A file cannot be read: the state of shop is incomplete: `castellan up` puts it right',
      ),
    ]);
  });

  it('reads a state that OpenTofu has encrypted by OpenTofu, where Terraform is installed, too', async () => {
    mkdirSync(path('.castellan/stacks/shop'), { recursive: true });
    mkdirSync(path('bin'));
    write(
      '.castellan/stacks/shop/cdk.tf.json',
      '{"terraform":{"backend":{"local":{"path":"../../terraform.shop.tfstate"}}}}',
    );
    write(
      '.castellan/terraform.shop.tfstate',
      '{"serial":1,"lineage":"l","encrypted_data":"AAAA","encryption_version":"v0"}',
    );
    const program = (output: string): string => `#!/bin/sh\necho '${output}'\n`;
    write('bin/terraform', program('{"version":4,"outputs":{}}'));
    write(
      'bin/tofu',
      program('{"version":4,"outputs":{"address":{"value":"https://shop.example"}}}'),
    );
    for (const name of ['terraform', 'tofu']) chmodSync(path('bin', name), 0o755);
    const env = { PATH: path('bin') };
    const { stdout } = await runCli(['output', '--json'], { cwd: path(), env });
    expect(JSON.parse(stdout)).toEqual({ address: 'https://shop.example' });
  });

  it('tells apart what two stacks name alike', async () => {
    const backend = (stack: string): string =>
      JSON.stringify({
        terraform: { backend: { local: { path: `../../terraform.${stack}.tfstate` } } },
      });
    const state = (id: string): string =>
      JSON.stringify({
        version: 4,
        serial: 1,
        lineage: id,
        outputs: { [`only_${id}`]: { value: id } },
        resources: [
          {
            mode: 'managed',
            type: 'castellan_group',
            name: 'staff',
            instances: [{ attributes: { id } }],
          },
        ],
      });
    for (const stack of ['one', 'two']) {
      mkdirSync(path('.castellan/stacks', stack), { recursive: true });
      write(`.castellan/stacks/${stack}/cdk.tf.json`, backend(stack));
      write(`.castellan/terraform.${stack}.tfstate`, state(stack));
    }
    const { stdout } = await run('output', '--json');
    expect(JSON.parse(stdout)).toEqual({
      'one.groups.staff.id': 'one',
      only_one: 'one',
      'two.groups.staff.id': 'two',
      only_two: 'two',
    });
    expect((await run('output', 'two.groups.staff.id')).stdout).toBe('two\n');
    expect((await run('output', 'groups.staff', '--format', 'env')).stdout).toBe(
      "ONE_GROUPS_STAFF_ID='one'\nTWO_GROUPS_STAFF_ID='two'\n",
    );
    expect((await run('output', 'staf')).stderr).toContain('did you mean "staff"?');
  });
});
