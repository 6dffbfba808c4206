// The entries of the package, those of a pattern (`./lib/*`) one by one.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

const { exports } = createRequire(import.meta.url)('../package.json');

/**
 * The entry points of the package.
 *
 * @param build the folder of the build, in place of dist.
 * @returns each entry with its types and its program, as package.json writes them.
 */
export function packageEntries(build) {
  return Object.entries(exports).flatMap(([path, { types, default: program }]) => {
    if (types === undefined) return [];
    if (!path.includes('*')) return [{ path, types, program }];
    const [prefix, suffix] = types.replace(/^\.\/dist\//, '').split('*');
    return readdirSync(join(build, prefix), { recursive: true })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
      .sort()
      .map((name) => ({
        path: path.replace('*', name),
        types: types.replace('*', name),
        program: program.replace('*', name),
      }));
  });
}
