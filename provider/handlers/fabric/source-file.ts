import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { terraformRuns } from '../../terraform-runs.js';
import { ProviderFailure } from '../handler.js';

/**
 * Reads a file that a configuration refers to. Relative paths start at the folder in which
 * terraform runs, not this process if the provider keeps running: tries the folders of running
 * terraform processes first, then its own.
 *
 * @throws ProviderFailure when it does not exist or can't be read, or two runs have different files
 *   at that path.
 */
export async function readSourceFile(source: string): Promise<Buffer> {
  if (isAbsolute(source)) return (await readIfPresent(source)) ?? throwMissing(source);
  const folders = new Set((await terraformRuns()).map(({ folder }) => folder));
  const filesInRuns = await Promise.all(
    [...folders].map((folder) => readIfPresent(join(folder, source))),
  );
  const contents = filesInRuns.filter((each) => each !== undefined);
  const [first, ...otherContents] = contents;
  if (first === undefined) return (await readIfPresent(resolve(source))) ?? throwMissing(source);
  if (otherContents.some((other) => !other.equals(first)))
    throw new ProviderFailure(
      'File is ambiguous',
      `Several terraform runs have a file "${source}" with different contents. Write it as "\${path.cwd}/…", which is an absolute path.`,
    );
  return first;
}

function throwMissing(source: string): never {
  throw new ProviderFailure(
    'Invalid file path',
    `The file "${source}" can't be read: no such file below the folder that terraform runs in.`,
  );
}

/** @throws ProviderFailure when there is something at the path that can't be read. */
async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    // missing: the caller tries another folder or reports it
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ProviderFailure(
      'Invalid file path',
      `The file "${path}" can't be read: ${(error as Error).message}`,
    );
  }
}
