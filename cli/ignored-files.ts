import type { SkippedPath } from '../policies/model/load-config.js';
import type { CliIo } from './command.js';
import { printText } from './format.js';

/** Prints with `--verbose` which paths were skipped, and why. */
export function reportIgnoredFiles(skippedPaths: readonly SkippedPath[], io: CliIo): void {
  if (io.verbose === true)
    for (const each of skippedPaths) printText(io.stderr, `${describeSkipped(each)}\n`);
}

function describeSkipped({ path, kind }: SkippedPath): string {
  return kind === 'workflow'
    ? `castellan: ignored ${path}: it is a workflow (with on: and jobs:), not a configuration`
    : `castellan: did not search ${path} for configurations; name it to do so`;
}
