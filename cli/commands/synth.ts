import { relative } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type EnvironmentFlags, environmentOption, targets } from '../apply/options.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { ChoiceOption } from '../choice-option.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';

interface SynthFlags extends FormatFlags, EnvironmentFlags {
  /** The folder to write to. */
  readonly out: string;
  /** `azure` or `sandbox`. */
  readonly target: string;
}

/** `castellan synth [path…]`: writes plain Terraform JSON. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('synth'))
    .description('Write plain Terraform JSON: stacks/<name>/cdk.tf.json for every configuration.')
    .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.'])
    .option('--out <folder>', 'where to write to', 'cdktf.out')
    .addOption(
      new ChoiceOption('--target <target>', targets, 'azure, or sandbox for the local one').default(
        'azure',
      ),
    )
    .option(...environmentOption)
    .action(async (paths: string[], { out, target, ...flags }: SynthFlags) => {
      if (target !== 'azure' && target !== 'sandbox')
        throw new CastellanError(
          'CAS8001',
          `--target is azure or sandbox, not ${JSON.stringify(target)}`,
        );
      const format = formatOf(flags);
      const { synthesizeConfig } = await import('../../stacks/synthesize-config.js');
      const { env, cwd } = io;
      const stacks = await synthesizeConfig({
        paths,
        recursive: true,
        outdir: out,
        target,
        env,
        cwd,
        announce: (line) => printText(io.stderr, `${line}\n`),
        ...omitUndefined({ environment: flags.environment }),
      });
      const files = stacks.map(({ name, file, dependsOn }) => ({
        stack: name,
        file: relative(cwd, file),
        dependsOn,
      }));
      printResult(format, { stacks: files }, files.map(({ file }) => `${file}\n`).join(''), io);
      done(0);
    });
};
