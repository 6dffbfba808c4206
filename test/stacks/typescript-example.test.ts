import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../constructs/index.js';
import { Storefront } from '../../examples/typescript/main.js';
import { synthesizeConfig } from '../../stacks/index.js';
import { withoutComments } from '../constructs/support/synthesized.js';
import { root } from '../support/cli.js';

const read = (outdir: string): unknown =>
  withoutComments(JSON.parse(readFileSync(join(outdir, 'stacks/storefront/cdk.tf.json'), 'utf8')));

describe('examples/typescript', () => {
  it('synthesizes to the same Terraform as examples/storefront/castellan.yaml', async () => {
    const [fromYaml, fromProgram] = [
      mkdtempSync(join(tmpdir(), 'castellan-yaml-')),
      mkdtempSync(join(tmpdir(), 'castellan-ts-')),
    ];
    await synthesizeConfig({
      paths: ['examples/storefront'],
      cwd: root,
      outdir: fromYaml,
      target: 'azure',
      env: process.env,
    });
    const app = new App({ outdir: fromProgram });
    new Storefront(app);
    app.synth();
    expect(read(fromProgram)).toEqual(read(fromYaml));
  });
});
