import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes } from '../../core/findings/exit-code.js';
import { editorSchema } from '../../policies/schemas/editor-schema.js';
import type { RegisterCommand } from '../command.js';

/** `castellan schema`: the JSON Schema of castellan.yaml, for editors. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('schema')
    .description(
      'Print the JSON Schema (draft 2020-12) of castellan.yaml. In a file: # yaml-language-server: $schema=castellan.schema.json',
    )
    .option('-o, --out <file>', 'write it to a file')
    .action(({ out }: { readonly out?: string }) => {
      const text = `${JSON.stringify(editorSchema(), undefined, 2)}\n`;
      if (out === undefined) io.stdout.write(text);
      else writeFileSync(resolve(io.cwd, out), text);
      done(exitCodes.clean);
    });
};
