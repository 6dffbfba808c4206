import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { PackConfig } from '../../../kinds/policy/schema.js';
import { pathsChangedSince } from '../../../core/source/changed-files.js';
import type { CommitFiles } from '../../../core/source/git-files.js';
import { type LoadedPack, loadPacks, type PackChange } from '../../packs/load-packs.js';
import { filesOfModule } from '../../packs/pack-files.js';
import type { PolicyAtBase } from './policy-at-base.js';

/** The files of which packs consist, and what they read. */
const packFilePattern = /\.([cm]?[jt]s|json|wasm|gz)$/;

/**
 * Starts the packs of the base with its files, so that a change of a pack cannot let itself pass.
 * They find installed packages where those of the work tree are.
 *
 * @param reservedIds the ids of Castellan's own rules.
 */
export async function packsAtBase(
  { policy, mergeBase }: Pick<PolicyAtBase, 'policy' | 'mergeBase'>,
  cwd: string,
  reservedIds: readonly string[],
): Promise<readonly LoadedPack[]> {
  const packs = policy.config.packs ?? [];
  if (packs.length === 0 || policy.file === undefined) return [];
  const copies: string[] = [];
  const remove = (): void => {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  };
  try {
    const policyFolder = resolve(cwd, dirname(policy.file));
    const folderAt = (commit: CommitFiles): string => {
      const copy = mkdtempSync(join(realpathSync(tmpdir()), 'castellan-base-'));
      copies.push(copy);
      commit.extract(copy, (path) => packFilePattern.test(path));
      linkPackages(policyFolder, commit.root, copy);
      return join(copy, relative(commit.root, policyFolder));
    };
    const folderAtTip = folderAt(mergeBase.tip);
    const folderAtMergeBase =
      mergeBase.tip.commit === mergeBase.commit ? folderAtTip : folderAt(mergeBase);
    const loaded = await loadPacks(packs, folderAtTip, reservedIds);
    const changedPaths = pathsChangedSince(mergeBase);
    return loaded.map((pack, index) => ({
      ...pack,
      changedIn: packChange(packs[index] ?? {}, folderAtMergeBase, policyFolder, changedPaths),
      async close() {
        await pack.close();
        remove();
      },
    }));
  } catch (error) {
    remove();
    throw error;
  }
}

/** Links the installed packages of a folder and those above it, up to the repository's root. */
function linkPackages(folder: string, root: string, copy: string): void {
  for (let current = folder; ; current = dirname(current)) {
    const packages = join(current, 'node_modules');
    const link = join(copy, relative(root, packages));
    if (existsSync(packages) && existsSync(dirname(link)) && !existsSync(link))
      symlinkSync(packages, link);
    if (current === root || dirname(current) === current) return;
  }
}

/** The file of a pack that the work tree changed since the change began, if there is one. */
function packChange(
  { file, data, integrity }: PackConfig,
  folderAtStart: string,
  currentFolder: string,
  changedPaths: ReadonlySet<string>,
): PackChange | undefined {
  const names = [
    ...(file === undefined ? [] : modulesOf(file, [folderAtStart, currentFolder])),
    data,
  ];
  const changedFile = names.find(
    (each) =>
      each !== undefined && contentOf(folderAtStart, each) !== contentOf(currentFolder, each),
  );
  if (changedFile !== undefined)
    return { file: join(currentFolder, changedFile), decidesInstalledPackages: false };
  const path = join(currentFolder, file ?? '');
  if (file === undefined || integrity !== undefined || !existsSync(path)) return undefined;
  const packages = filesOfModule(path).packageFolders.map((each) => realpathSync(each));
  if (packages.length === 0) return undefined;
  const changedDependencyFile = [...changedPaths].find(
    (each) =>
      (packageManifestPattern.test(basename(each)) && isBelow(dirname(path), dirname(each))) ||
      packages.some((folder) => isBelow(each, folder)),
  );
  return changedDependencyFile === undefined
    ? undefined
    : { file: changedDependencyFile, decidesInstalledPackages: true };
}

/** The files by which package managers decide what they install. */
const packageManifestPattern =
  /^(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(lock|workspace)\.yaml|bun\.lockb?|binding\.gyp|\.(npmrc|yarnrc(\.yml)?|pnpmfile\.c?js))$/;

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder.replace(/[/\\]$/, '')}${sep}`);
}

/** The modules of a pack before or after a change, relative to its folder. */
function modulesOf(file: string, folders: readonly string[]): readonly string[] {
  const names = folders.flatMap((folder) => {
    const path = join(folder, file);
    return existsSync(path)
      ? filesOfModule(path).files.map((each) => relative(realpathSync(folder), realpathSync(each)))
      : [];
  });
  return [...new Set([file, ...names])];
}

function contentOf(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, 'base64') : undefined;
}
