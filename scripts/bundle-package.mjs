// Bundles a package of packages/ from the same sources as castellan, whose build comes first.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the `dist/` of a package.
 *
 * @param folder the package's folder.
 * @param programs the source of each program, by the name of its file in `dist/cli`.
 * @param data files and folders of the repository that are copied, with their paths in `dist`.
 */
export async function buildPackage(folder, { programs, plugins = [], data = {} }) {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const inputs = await bundle(programs, join(dist, 'cli'), {
    plugins,
    external: ['better-sqlite3', 'pg-native'],
  });
  const stray = inputs.find((file) => /node_modules\/(@?cdktf|constructs)\//.test(file));
  if (stray !== undefined) throw new Error(`${stray} is in ${folder}, which does without it`);
  chmodSync(join(dist, 'cli/bin.js'), 0o755);
  for (const [from, to] of Object.entries(data))
    cpSync(join(root, from), join(dist, to), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
