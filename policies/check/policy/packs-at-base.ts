import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { PackConfig } from '../../../kinds/policy/schema.js';
import type { CommitFiles } from '../../../core/source/git-files.js';
import { type LoadedPack, loadPacks } from '../../packs/load-packs.js';
import { hashOfModule } from '../../packs/pack-files.js';
import type { PolicyAtBase } from './policy-at-base.js';

/** The files of which packs consist, and what they read. */
const packFiles = /\.([cm]?[jt]s|json|wasm|gz)$/;

/**
 * Starts the packs of the base with its files, so that a change of a pack cannot let itself pass.
 * They find installed packages where those of the work tree are.
 *
 * @param reserved the ids of Castellan's own rules.
 */
export async function packsAtBase(
  { policy, files }: Pick<PolicyAtBase, 'policy' | 'files'>,
  cwd: string,
  reserved: readonly string[],
): Promise<readonly LoadedPack[]> {
  const packs = policy.config.packs ?? [];
  if (packs.length === 0 || policy.file === undefined) return [];
  const copies: string[] = [];
  const remove = (): void => {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  };
  try {
    const own = resolve(cwd, dirname(policy.file));
    const folderAt = (commit: CommitFiles): string => {
      const copy = mkdtempSync(join(realpathSync(tmpdir()), 'castellan-base-'));
      copies.push(copy);
      commit.extract(copy, (path) => packFiles.test(path));
      linkPackages(own, commit.root, copy);
      return join(copy, relative(commit.root, own));
    };
    const folder = folderAt(files.tip);
    const before = files.tip.commit === files.commit ? folder : folderAt(files);
    const loaded = await loadPacks(packs, folder, reserved);
    return loaded.map((pack, index) => ({
      ...pack,
      isChanged: isChanged(packs[index] ?? {}, before, own),
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

/** Whether the work tree has other rules in the files of a pack than the change began with. */
function isChanged({ file, data }: PackConfig, before: string, own: string): boolean {
  if (file !== undefined && hashIn(before, file) !== hashIn(own, file)) return true;
  return data !== undefined && textIn(before, data) !== textIn(own, data);
}

function hashIn(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  return existsSync(path) ? hashOfModule(path, 'sha256') : undefined;
}

function textIn(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, 'base64') : undefined;
}
