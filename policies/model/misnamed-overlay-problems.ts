import { basename, dirname, join, resolve } from 'node:path';
import type { FileAccess } from '../../core/source/file-access.js';
import type { Problem } from '../../core/source/problem.js';
import { isObject } from '../../core/values/is-object.js';
import { isOverlayName, overlayPath, type WorkingFolder } from './environments.js';
import { readDocuments } from './includes.js';

/**
 * Reports overlays whose file extension is not that of their configuration, as `castellan.prod.yml`
 * beside `castellan.yaml`: no command would read them.
 *
 * @param included the files that the configuration includes, which are no overlays.
 */
export async function misnamedOverlayProblems(
  file: string,
  { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
  included: ReadonlySet<string>,
): Promise<readonly Problem[]> {
  const [, stem = '', extension = ''] = /^(.+)\.(ya?ml|json)$/.exec(basename(file)) ?? [];
  const folder = dirname(file);
  const names = stem === '' ? [] : [...files.list(resolve(cwd, folder))];
  const problems: Problem[] = [];
  for (const name of names.sort()) {
    // JSON beside YAML may be a report or a plan
    const [, environment = '', otherExtension = ''] = /\.([^.]+)\.(ya?ml)$/.exec(name) ?? [];
    const path = join(folder, name);
    const isOverlay =
      name === `${stem}.${environment}.${otherExtension}` &&
      otherExtension !== extension &&
      isOverlayName(environment) &&
      !names.includes(`${stem}.${otherExtension}`) &&
      !included.has(path) &&
      (await declaresStack(path, { cwd, files }));
    if (!isOverlay) continue;
    const expectedName = basename(overlayPath(file, environment));
    problems.push({
      id: 'config-overlay',
      message: `${name} is not read: an overlay has the ending of its configuration, ${basename(file)}; rename it to ${expectedName}`,
      location: { file: path, line: 1, column: 1 },
    });
  }
  return problems;
}

/** Whether a file has keys of a configuration. A pipeline has `include`, too. */
async function declaresStack(file: string, workingFolder: WorkingFolder): Promise<boolean> {
  const { stackSchema } = await import('../../kinds/stack/schema.js');
  const isOurs = (key: string): boolean => Object.hasOwn(stackSchema.properties, key);
  return readDocuments(file, { ...workingFolder, sources: new Map() }, []).some(
    ({ root: { value } }) => {
      const keys = isObject(value) ? Object.keys(value) : [];
      return keys.every(isOurs) || keys.some((key) => key !== 'include' && isOurs(key));
    },
  );
}
