import { readFile, readlink, readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { ProviderFailure } from '../handler.js';

/**
 * Reads a file that a configuration refers to. Relative paths start at the folder in which
 * terraform runs, not this process if the provider keeps running: tries the folders of running
 * terraform processes first, then its own.
 *
 * @throws ProviderFailure when it does not exist, or two runs have different files at that path.
 */
export async function readSourceFile(source: string): Promise<Buffer> {
  if (isAbsolute(source)) return (await readIfPresent(source)) ?? throwMissing(source);
  const filesInRuns = await Promise.all(
    (await terraformFolders()).map((folder) => readIfPresent(join(folder, source))),
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

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined; // missing or unreadable: the caller tries another folder or reports it
  }
}

/**
 * The working folders of the terraform and tofu processes on this machine, where the system
 * provides them (Linux).
 */
async function terraformFolders(): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    ids.map(async (id) => {
      const name = (await readIfPresent(`/proc/${id}/comm`))?.toString('utf8').trim();
      return name === 'terraform' || name === 'tofu'
        ? readlink(`/proc/${id}/cwd`).catch(() => undefined)
        : undefined;
    }),
  );
  return [...new Set(folders.filter((each) => each !== undefined))];
}
