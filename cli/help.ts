import type { Command } from 'commander';
import { exampleTable } from './help-examples.js';

const usual = ['0  done', '2  wrong usage or a failure'];
const codes: Readonly<Record<string, readonly string[]>> = {
  check: [
    '0  nothing is wrong',
    '1  findings',
    '2  wrong usage or a failure',
    '3  open verdicts, with --fail-on-unknown',
    '4  nothing was checked',
  ],
  fix: ['0  nothing is wrong any more', '1  findings are left', '2  wrong usage or a failure', '4  nothing was checked'],
  test: ['0  every case passes', '1  a case fails', '2  wrong usage or a failure', '4  there are no cases'],
  up: ['0  applied', '1  findings, a loss of data that was not allowed, or an app that crashed', '2  wrong usage or a failure'],
  plan: ['0  planned', '1  findings', '2  wrong usage or a failure'],
  down: ['0  destroyed, or nothing there', '2  wrong usage or a failure'],
  diff: ['0  compared', '1  something differs, with --exit-code', '2  wrong usage or a failure'],
  doctor: ['0  nothing is wrong', '1  something is wrong', '2  wrong usage or a failure'],
  'sandbox status': ['0  it runs', '1  it does not run', '2  wrong usage or a failure'],
};

/** Adds examples and exit codes to the help of a command and of what is below it. */
export function addHelp(command: Command, path: string): void {
  if (command.commands.length === 0) {
    const examples = exampleTable[path] ?? [];
    const lines = [
      ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((each) => `  castellan ${each}`)]),
      '',
      'Exit codes:',
      ...(codes[path] ?? usual).map((each) => `  ${each}`),
    ];
    command.addHelpText('after', lines.join('\n'));
  }
  for (const each of command.commands) addHelp(each, `${path} ${each.name()}`);
}
