import { mkdirSync } from 'node:fs';
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
});
