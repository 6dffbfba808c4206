import { dirname, join, relative, resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type FileAccess, repositoryOf } from '../../../core/source/file-access.js';

/** The default name of a policy. */
export const policyName = 'castellan.policy.yaml';

const misnamedPolicies = ['castellan.policy.yml', 'castellan.policy.json'];

/** Where to look for a policy. */
export interface PolicySearch {
  readonly cwd: string;
  readonly files: FileAccess;
  /**
   * The requested file.
   *
   * @default the outermost castellan.policy.yaml between the repository's root and this folder, or
   *   that of a configuration
   */
  readonly file?: string | undefined;
  /** The configurations to check, in whose folders and above a policy may be. */
  readonly configFiles: readonly string[];
  /**
   * What happens to a policy whose file ends with `.yml` or `.json`.
   *
   * @default 'refused'
   */
  readonly misnamed?: 'refused' | 'ignored' | undefined;
  /** The root of the repository. @default the nearest folder above with `.git` */
  readonly root?: string | undefined;
}

/**
 * The policy of a check, relative to the current folder. It is the same from every folder of a
 * repository: of several policies above each other the outermost one judges.
 *
 * @throws CAS7002 when the requested file does not exist, or a policy has another ending.
 */
export function findPolicy(search: PolicySearch): string | undefined {
  const { cwd, files, file, configFiles } = search;
  if (file !== undefined) {
    if (files.stat(resolve(cwd, file)).kind !== 'file')
      throw new CastellanError('CAS7002', `${file} does not exist`, { details: { file } });
    return file;
  }
  const startFolders = [cwd, ...configFiles.map((each) => dirname(resolve(cwd, each)))];
  const folders = new Set(startFolders.flatMap((folder) => foldersDownTo(folder, search)));
  const policyFolder = [...folders].find(
    (folder) => files.stat(join(folder, policyName)).kind === 'file',
  );
  if (policyFolder !== undefined) return relative(cwd, join(policyFolder, policyName));
  if (search.misnamed !== 'ignored') refuseMisnamed(folders, search);
  return undefined;
}

/** Refuses a policy with another ending, without which the check would silently pass. */
function refuseMisnamed(folders: ReadonlySet<string>, { cwd, files }: PolicySearch): void {
  for (const folder of folders)
    for (const name of misnamedPolicies) {
      const file = join(folder, name);
      if (files.stat(file).kind !== 'file') continue;
      const path = relative(cwd, file);
      throw new CastellanError(
        'CAS7002',
        `${path} is not read: a policy is called ${policyName}; rename it`,
        { details: { file: path } },
      );
    }
}

/** The folders from the repository's root down to a folder; without a repository only this one. */
function foldersDownTo(
  folder: string,
  { files, root = repositoryOf(folder, files) }: PolicySearch,
): readonly string[] {
  if (root === undefined) return [folder];
  const folders = [folder];
  for (let current = folder; current !== root;) {
    const parent = dirname(current);
    if (parent === current) return [folder];
    folders.unshift(parent);
    current = parent;
  }
  return folders;
}
