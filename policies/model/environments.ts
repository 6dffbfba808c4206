import { basename, dirname, join, resolve } from 'node:path';
import { isEnvironmentName } from '../../core/project/environment-folder.js';
import type { FileAccess } from '../../core/source/file-access.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import type { LoadedStack } from './loaded-stack.js';

/** Files beside a configuration that are not overlays, such as `castellan.policy.yaml`. */
const notOverlays: ReadonlySet<string> = new Set([
  'access-test',
  'policy',
  'baseline',
  'manifest',
  'schema',
  'default',
]);

/** The folder that relative paths start at, and how its files are read. */
export interface WorkingFolder {
  readonly cwd: string;
  readonly files: FileAccess;
}

/**
 * The environments of a configuration: the names of its overlays (`castellan.prod.yaml` beside
 * `castellan.yaml`), sorted.
 *
 * @param included the files that the configuration includes, which are not overlays.
 */
export function environmentsBeside(
  file: string,
  { cwd, files }: WorkingFolder,
  included: ReadonlySet<string> = new Set(),
): readonly string[] {
  const [, stem = '', ending = ''] = /^(.+)\.([A-Za-z]+)$/.exec(basename(file)) ?? [];
  if (stem === '') return [];
  const folder = dirname(file);
  return [...files.list(resolve(cwd, folder))]
    .flatMap((name) => {
      if (!name.startsWith(`${stem}.`) || !name.endsWith(`.${ending}`)) return [];
      const environment = name.slice(stem.length + 1, -ending.length - 1);
      const isOverlay = isOverlayName(environment) && !included.has(join(folder, name));
      return isOverlay ? [environment] : [];
    })
    .sort();
}

/**
 * The environments of stacks by their overlays; an included file is not an overlay, an applied
 * overlay is one.
 */
export function environmentsOfStacks(
  stacks: readonly LoadedStack[],
  workingFolder: WorkingFolder,
): readonly string[] {
  const result = new Set<string>();
  const visitedFileLists = new Set<string>();
  for (const { files, environment } of stacks) {
    const [base = ''] = files;
    if (visitedFileLists.has(files.join('\0'))) continue;
    visitedFileLists.add(files.join('\0'));
    const included = new Set(
      files.filter((file) => environment === undefined || file !== overlayPath(base, environment)),
    );
    for (const name of environmentsBeside(base, workingFolder, included)) result.add(name);
  }
  return [...result].sort();
}

/** Whether the file of this environment beside a configuration is its overlay. */
export function isOverlayName(environment: string): boolean {
  return isEnvironmentName(environment) && !notOverlays.has(environment);
}

/** The path of an environment's overlay: `castellan.prod.yaml` for `castellan.yaml`. */
export function overlayPath(file: string, environment: string): string {
  return file.replace(/\.([A-Za-z]+)$/, `.${environment}.$1`);
}

/** Why an environment cannot be used, with the available ones. */
export function noSuchEnvironmentMessage(
  text: string,
  file: string,
  available: readonly string[],
): string {
  const path = overlayPath(file, text);
  // a name is listed for a link that leads nowhere, too
  if (available.includes(text)) return `${path} is a link to a file that does not exist`;
  const others = [...notOverlays].join(', ');
  const reason = isOverlayName(text)
    ? `${path} does not exist`
    : `a name has letters, digits, - and _, and is none of ${others}`;
  const hint = didYouMean(nearest(text, available));
  const list = available.length === 0 ? 'there are none' : `environments: ${available.join(', ')}`;
  return `there is no environment "${text}": ${reason}${hint || `; ${list}`}${hint === '' || available.length < 2 ? '' : ` (${list})`}`;
}
