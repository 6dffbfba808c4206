import { relative } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';

interface SynthFlags {
  readonly out: string;
  readonly target: string;
  readonly environment?: string;
  readonly env?: string;
}

/** `castellan synth [path…]`: writes plain Terraform JSON. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('synth')
    .description('Write plain Terraform JSON: stacks/<name>/cdk.tf.json for every configuration.')
    .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.'])
    .option('--out <folder>', 'where to write to', 'cdktf.out')
    .option('--target <target>', 'azure, or sandbox for the local one', 'azure')
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(async (paths: string[], { out, target, ...flags }: SynthFlags) => {
      if (target !== 'azure' && target !== 'sandbox')
        throw new CastellanError('CAS8001', `--target is azure or sandbox, not ${JSON.stringify(target)}`);
      const { synthesizeConfig } = await import('../../stacks/synthesize-config.js');
      const { env, cwd } = io;
      const stacks = await synthesizeConfig({
        paths,
        outdir: out,
        target,
        env,
        cwd,
        ...environmentOf(flags),
      });
      for (const { file } of stacks) io.stdout.write(`${relative(cwd, file)}\n`);
      done(0);
    });
};
