import { join, resolve } from 'node:path';
import type { FileAccess } from '../../../core/source/file-access.js';
import { isObject } from '../../../core/values/is-object.js';

/**
 * The folders into which `terraform init` put the modules, by their paths: `shop.network`. Empty if
 * the folder has not been initialized; local modules are found without it.
 */
export function installedModules(folder: string, files: FileAccess): ReadonlyMap<string, string> {
  const manifest: unknown = readJson(join(folder, '.terraform/modules/modules.json'), files);
  const modules =
    isObject(manifest) && Array.isArray(manifest['Modules']) ? manifest['Modules'] : [];
  return new Map(
    (modules as readonly unknown[]).flatMap((each): readonly (readonly [string, string])[] => {
      if (!isObject(each)) return [];
      const { Key: key, Dir: dir } = each;
      return typeof key === 'string' && typeof dir === 'string'
        ? [[key, resolve(folder, dir)]]
        : [];
    }),
  );
}

function readJson(path: string, files: FileAccess): unknown {
  if (files.stat(path).kind !== 'file') return undefined;
  try {
    return JSON.parse(Buffer.from(files.read(path)).toString('utf8'));
  } catch {
    return undefined; // local modules are found without it
  }
}
