import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { callsIn, programs } from '../sandbox/clients/programs.js';
import { root } from '../support/cli.js';

const page = readFileSync(join(root, 'docs/reference/clients.md'), 'utf8');

test.each(programs.map((program) => [basename(program.file), program] as const))(
  'docs/reference/clients.md lists the calls of %s',
  (_name, program) => {
    const calls = callsIn(program);
    expect(calls.length).toBeGreaterThan(1);
    expect(page).toContain(`| ${calls.map((call) => `\`${call}\``).join(', ')} |`);
  },
);
