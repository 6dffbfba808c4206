import { isObject } from '../../../core/values/is-object.js';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { jsonMistake } from '../../../core/source/json-mistake.js';
import { systemErrorText } from '../../../core/source/read-source.js';
import { ManifestLocator } from './manifest-locator.js';
import { manifestName, type SourceManifest } from './source-manifest.js';

/** Where to look for manifests. */
export interface ManifestSearch {
  readonly cwd: string;
  /** The plan or the state; `-` for stdin. */
  readonly planFile: string;
  /** The named manifest. */
  readonly file?: string | undefined;
  /** Resolves `CDKTF_OUTDIR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The candidate manifests of a plan: the named one, otherwise one beside the plan or in this
 * folder, otherwise those of the synthesized stacks.
 *
 * @throws CAS7103 for a named one that cannot be read. A found one that cannot be read is ignored.
 */
export function findManifests({
  cwd,
  planFile,
  file,
  env,
}: ManifestSearch): readonly ManifestLocator[] {
  if (file !== undefined) return [readManifest(file, cwd)];
  const stacks = join(env['CDKTF_OUTDIR'] || 'cdktf.out', 'stacks');
  const nearbyFiles = [...(planFile === '-' ? [] : [dirname(planFile)]), '.'].map((folder) =>
    join(folder, manifestName),
  );
  for (const each of nearbyFiles) {
    const locator = tryReadManifest(each, cwd);
    if (locator !== undefined) return [locator];
  }
  return stackNamesIn(resolve(cwd, stacks)).flatMap(
    (stack) => tryReadManifest(join(stacks, stack, manifestName), cwd) ?? [],
  );
}

function readManifest(file: string, cwd: string): ManifestLocator {
  const createError = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7103', `${file} can't be read as a manifest: ${why}`, {
      details: { file },
      cause,
    });
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw createError(code === 'ENOENT' ? 'it does not exist' : systemErrorText(cause), cause);
  }
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw createError(jsonMistake(text, cause), cause);
  }
  if (!isManifest(manifest))
    throw createError('it is not what castellan synth writes, or what another version wrote');
  return new ManifestLocator(file, manifest, cwd);
}

function tryReadManifest(file: string, cwd: string): ManifestLocator | undefined {
  try {
    return readManifest(file, cwd);
  } catch (error) {
    // The user did not name this file: without it findings have no location, as a note says
    if (error instanceof CastellanError) return undefined;
    throw error;
  }
}

function stackNamesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // nothing was synthesized here
  }
}

function isManifest(value: unknown): value is SourceManifest {
  if (!isObject(value) || value['version'] !== 1 || !Array.isArray(value['files'])) return false;
  return [value['declarations'], value['resources']].every(
    (each) => isObject(each) && Object.values(each).every(isObject),
  );
}
