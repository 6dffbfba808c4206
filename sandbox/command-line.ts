import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How the command line begins an error on stderr. */
export const errorPrefix = 'castellan: ';

/**
 * The built command line: in the folder of a bundled command, beside this file's, or (when run from
 * the sources) in dist/.
 *
 * @throws Error where nothing is built.
 */
export function cliPath(): string {
  const places = ['bin.js', '../cli/bin.js', '../dist/cli/bin.js'].map((place) =>
    join(__dirname, place),
  );
  const built = places.find((place) => existsSync(place));
  if (built === undefined) throw new Error(`${places.join(', ')} are missing: run npm run build`);
  return built;
}
