import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from './cli.js';

const run = promisify(execFile);

/** What `npm install` needs not to look for, and the commands need not to colour. */
export const quiet = {
  NO_COLOR: '1',
  CHECKPOINT_DISABLE: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
} as const;

/** The package as it is published: the path of the tarball that `npm pack` makes of this checkout's build, once in a run of the tests. */
export async function packedCastellan(): Promise<string> {
  const folder = await madeOnce('castellan-packed', async (made) => {
    // the build is there already
    await run('npm', ['pack', '--silent', '--ignore-scripts', root], { cwd: made, env: { ...process.env, ...quiet } });
  });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
}

/**
 * Installs npm packages in a project, as `npm install` does. What they compile is taken from this checkout, which has compiled it:
 * better-sqlite3 takes a minute.
 */
export async function npmInstall(project: string, ...packages: string[]): Promise<void> {
  if (!existsSync(join(project, 'package.json'))) writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  const env = { ...process.env, ...quiet, npm_config_ignore_scripts: 'true' };
  await run('npm', ['install', '--silent', ...packages], { cwd: project, env, maxBuffer: 1 << 26 });
  compiledModules(project);
}

/** Puts what this checkout has compiled into the packages that were installed without their scripts. */
export function compiledModules(project: string): void {
  const built = join(root, 'node_modules/better-sqlite3/build');
  const there = join(project, 'node_modules/better-sqlite3');
  if (existsSync(built) && existsSync(there)) cpSync(built, join(there, 'build'), { recursive: true });
}

/**
 * A folder with the package installed from its tarball, for the projects of one run of the tests: an installation takes half a minute.
 * Projects that are made below it find the package.
 */
export async function folderWithCastellan(): Promise<string> {
  return await madeOnce('castellan-installed', async (made) => {
    await npmInstall(made, await packedCastellan());
    mkdirSync(join(made, 'projects'));
  });
}

/** A folder that is made once in a run of the tests, by the first test that wants it; the others wait. */
async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), name);
  const making = `${folder}-making`;
  while (!existsSync(folder)) {
    try {
      mkdirSync(making);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await wait(200);
      continue;
    }
    try {
      if (existsSync(folder)) break; // another test has made it just now
      const made = mkdtempSync(`${folder}-`);
      await make(made);
      renameSync(made, folder);
    } finally {
      rmdirSync(making); // where it failed, the next test tries
    }
  }
  return folder;
}
