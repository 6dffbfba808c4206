import { readFile, readlink, readdir } from 'node:fs/promises';

/** A process of terraform or tofu. */
export interface TerraformRun {
  readonly pid: number;
  /** The folder that it works in. */
  readonly folder: string;
}

/**
 * The terraform and tofu processes on this machine, where the system provides them (Linux).
 *
 * @param socketPath only those that reattach to a provider on this socket. @default all
 */
export async function terraformRuns(socketPath?: string): Promise<readonly TerraformRun[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const runs = await Promise.all(ids.map((id) => terraformRun(id, socketPath)));
  return runs.filter((each) => each !== undefined);
}

async function terraformRun(
  id: string,
  socketPath: string | undefined,
): Promise<TerraformRun | undefined> {
  try {
    const program = (await readFile(`/proc/${id}/comm`, 'utf8')).trim();
    if (program !== 'terraform' && program !== 'tofu') return undefined;
    if (socketPath !== undefined && !(await readFile(`/proc/${id}/environ`)).includes(socketPath))
      return undefined;
    return { pid: Number(id), folder: await readlink(`/proc/${id}/cwd`) };
  } catch {
    return undefined; // it has ended meanwhile, or is another user's
  }
}
