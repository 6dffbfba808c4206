import type { CliIo } from './command.js';
import { printText } from './format.js';

/** With `--verbose`, says which files of the name of a configuration are none. */
export function notePassedOver(files: readonly string[], io: CliIo): void {
  if (io.verbose === true) for (const file of files) printText(io.stderr, `${describe(file)}\n`);
}

function describe(file: string): string {
  return `castellan: passed over ${file}: it is a workflow (with on: and jobs:), not a configuration`;
}
