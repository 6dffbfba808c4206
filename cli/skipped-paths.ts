import type { SkippedPath } from '../policies/model/load-config.js';
import type { CliIo } from './command.js';
import { printText } from './format.js';

/** Prints with `--verbose` which paths were skipped, and why. */
export function reportSkippedPaths(skippedPaths: readonly SkippedPath[], io: CliIo): void {
  if (io.verbose === true)
    for (const each of skippedPaths) printText(io.stderr, `${describeSkipped(each)}\n`);
}

/** Why no configuration was found in paths, for a message. */
export function whyNoConfiguration(
  paths: readonly string[],
  skippedPaths: readonly SkippedPath[],
): string {
  const workflows = skippedPaths.filter(({ kind }) => kind === 'workflow').map(({ path }) => path);
  return workflows.length > 0
    ? `${workflows.join(', ')} is a workflow (with on: and jobs:), not a configuration`
    : `there is no castellan.yaml in ${paths.join(', ')}`;
}

function describeSkipped({ path, kind }: SkippedPath): string {
  return kind === 'workflow'
    ? `castellan: ignored ${path}: it is a workflow (with on: and jobs:), not a configuration`
    : `castellan: did not search ${path} for configurations; name it to do so`;
}
