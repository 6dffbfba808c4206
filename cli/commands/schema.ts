import { Argument } from 'commander';
import { exitCodes } from '../../core/findings/exit-code.js';
import { editorSchema } from '../../kinds/stack/editor-schema.js';
import { overlaySchema } from '../../kinds/stack/overlay-schema.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { reportSchema } from '../../policies/reporters/report-schema.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, formatOf } from '../format.js';
import { writeOutput } from '../files.js';

const schemas: Readonly<Record<string, () => object | Promise<object>>> = {
  configuration: () => editorSchema(),
  overlay: () => overlaySchema(),
  policy: () => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://castellan.dev/schemas/castellan-policy-1.json',
    ...policySchema,
  }),
  report: () => reportSchema,
  seed: async () => (await import('../../sandbox/serve/seed-properties.js')).seedSchema(),
};

/**
 * `castellan schema [configuration|overlay|policy|report|seed]`: the JSON Schemas of castellan.yaml,
 * of its overlays and policy, of what a check prints, and of seeds.
 */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('schema'), ['json'])
    .description(
      'Print the JSON Schema (draft 2020-12) of castellan.yaml. In a file: # yaml-language-server: $schema=castellan.schema.json',
    )
    .addArgument(
      new Argument('[what]', 'of what').choices(Object.keys(schemas)).default('configuration'),
    )
    .option('-o, --out <file>', 'write it to a file')
    .action(
      async (
        what: string,
        { out, ...flags }: { readonly out?: string; readonly format?: string },
      ) => {
        formatOf(flags, ['json']);
        const text = `${JSON.stringify(await schemas[what]?.(), undefined, 2)}\n`;
        if (out === undefined) io.stdout.write(text);
        else writeOutput(io, out, text);
        done(exitCodes.clean);
      },
    );
};
