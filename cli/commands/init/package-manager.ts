import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** How a package manager installs, and runs the command of a package. */
export interface PackageManager {
  /** The command that installs what package.json names: `npm install`. */
  readonly install: string;
  /** What is written before the command of a package: `npx`. */
  readonly run: string;
  /** Whether it installs peer dependencies that no package.json names. */
  readonly installsPeers: boolean;
}

const npm: PackageManager = { install: 'npm install', run: 'npx', installsPeers: true };
const managers: Readonly<Record<string, PackageManager>> = {
  npm,
  pnpm: { install: 'pnpm install', run: 'pnpm exec', installsPeers: true },
  yarn: { install: 'yarn install', run: 'yarn', installsPeers: false },
  bun: { install: 'bun install', run: 'bunx', installsPeers: true },
};
const lockFiles: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
};

/**
 * The package.json of a folder, or of the nearest above that has one, as package managers look for
 * it.
 *
 * @returns its path relative to the folder; undefined where there is none.
 */
export function packageFileOf(folder: string): string | undefined {
  const nearestFolder = foldersUpFrom(folder).find((each) =>
    existsSync(join(each, 'package.json')),
  );
  return nearestFolder === undefined
    ? undefined
    : join(relative(folder, nearestFolder), 'package.json');
}

/**
 * The package manager of a project.
 *
 * @param packageManagerField the `packageManager` of its package.json, such as `pnpm@9.1.0`; where
 *   it is not set, the nearest lock file decides, and npm where there is none.
 */
export function packageManagerOf(folder: string, packageManagerField?: unknown): PackageManager {
  const name = String(packageManagerField).split('@')[0] ?? '';
  const namedManager = Object.hasOwn(managers, name) ? managers[name] : undefined;
  if (namedManager !== undefined) return namedManager;
  for (const each of foldersUpFrom(folder)) {
    const lock = Object.keys(lockFiles).find((file) => existsSync(join(each, file)));
    if (lock !== undefined) return managers[lockFiles[lock] ?? ''] ?? npm;
  }
  return npm;
}

/** A folder and those above it, up to the root of its repository. */
function foldersUpFrom(folder: string): readonly string[] {
  const folders = [resolve(folder)];
  for (;;) {
    const last = folders.at(-1) ?? '';
    if (existsSync(join(last, '.git')) || dirname(last) === last) return folders;
    folders.push(dirname(last));
  }
}
