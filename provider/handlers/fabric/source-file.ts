import { readFile, readlink, readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { ProviderFailure } from '../failure.js';

/**
 * Reads a file that a configuration names. Relative paths count from the folder that terraform runs in, which is not this process's own where the
 * provider keeps running: the folders of the terraform processes that run now are looked at first, then this process's.
 *
 * @throws ProviderFailure when it isn't there, or when two runs have different files at that path.
 */
export async function readSourceFile(source: string): Promise<Buffer> {
  if (isAbsolute(source)) return (await tryRead(source)) ?? missing(source);
  const inRuns = await Promise.all((await terraformFolders()).map((folder) => tryRead(join(folder, source))));
  const found = inRuns.filter((each) => each !== undefined);
  const [first, ...others] = found;
  if (first === undefined) return (await tryRead(resolve(source))) ?? missing(source);
  if (others.some((other) => !other.equals(first)))
    throw new ProviderFailure(
      'File is ambiguous',
      `Several terraform runs have a file "${source}" with different contents. Write it as "\${path.cwd}/…", which is an absolute path.`,
    );
  return first;
}

function missing(source: string): never {
  throw new ProviderFailure(
    'Invalid file path',
    `The file "${source}" can't be read: no such file below the folder that terraform runs in.`,
  );
}

async function tryRead(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined; // not there or not readable: the caller looks elsewhere or says so
  }
}

/** The working folders of the terraform and tofu processes on this machine, where the system shows them (Linux). */
async function terraformFolders(): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    ids.map(async (id) => {
      const name = (await tryRead(`/proc/${id}/comm`))?.toString('utf8').trim();
      return name === 'terraform' || name === 'tofu' ? readlink(`/proc/${id}/cwd`).catch(() => undefined) : undefined;
    }),
  );
  return [...new Set(folders.filter((each) => each !== undefined))];
}
