import type { CliIo } from './command.js';
import { printText } from './format.js';

/** With `--verbose`, lists files that are named like a configuration and are workflows. */
export function noteIgnoredFiles(files: readonly string[], io: CliIo): void {
  if (io.verbose === true) for (const file of files) printText(io.stderr, `${describe(file)}\n`);
}

function describe(file: string): string {
  return `castellan: ignored ${file}: it is a workflow (with on: and jobs:), not a configuration`;
}
