import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './cli.js';
import { makeOnce } from './make-once.js';

const run = promisify(execFile);

/** Variables that keep npm from auditing and from network requests, and commands from colouring. */
export const quietNpm = {
  NO_COLOR: '1',
  CHECKPOINT_DISABLE: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
} as const;

/**
 * The package as it is published: the path of the tarball that `npm pack` makes of this checkout's
 * build, once in a run of the tests.
 */
export async function packedCastellan(): Promise<string> {
  const folder = await makeOnce('castellan-packed', async (made) => {
    // --ignore-scripts: the build exists already
    await run('npm', ['pack', '--silent', '--ignore-scripts', root], {
      cwd: made,
      env: { ...process.env, ...quietNpm },
    });
  });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
}

/**
 * The packages castellan-check and castellan-sidecar as they are published: the paths of the
 * tarballs that `npm pack` makes of this checkout's build, once in a run of the tests.
 */
export async function packedSmallPackages(): Promise<{
  readonly check: string;
  readonly sidecar: string;
}> {
  const names = ['castellan-check', 'castellan-sidecar'];
  const folder = await makeOnce('castellan-small-packed', async (made) => {
    const sources = names.map((name) => join(root, 'packages', name));
    await run('npm', ['pack', '--silent', ...sources], {
      cwd: made,
      env: { ...process.env, ...quietNpm },
    });
  });
  const [check = '', sidecar = ''] = names.map((name) =>
    join(folder, String(readdirSync(folder).find((file) => file.startsWith(`${name}-`)))),
  );
  return { check, sidecar };
}

/**
 * Installs npm packages in a project, as `npm install` does. The packages of this checkout that the
 * project needs are linked into it before, compiled ones as they were compiled: npm finds that they
 * fit, fetches what is missing and removes what no package requires.
 */
export async function npmInstall(project: string, ...packages: string[]): Promise<void> {
  const file = join(project, 'package.json');
  if (!existsSync(file)) writeFileSync(file, '{ "private": true }\n');
  const projectPackage = JSON.parse(readFileSync(file, 'utf8')) as Package;
  const folders = [
    ...packageFolders(
      Object.keys({ ...dependenciesOf(projectPackage), ...projectPackage.devDependencies }),
    ),
  ];
  await linkFolders(root, folders, project);
  linkCommands(folders, project);
  await runNpmInstall(project, packages);
}

/**
 * Installs npm packages in a project of cdktf: most of them once in a run of the tests. The first
 * project that comes is installed as by {@link npmInstall}. Others get what it has, and npm adds
 * and removes what their package.json has more and less.
 */
export async function npmInstallCdktf(project: string): Promise<void> {
  const installed = await makeOnce('castellan-cdktf-installed', async (made) => {
    copyFileSync(join(project, 'package.json'), join(made, 'package.json'));
    await npmInstall(made);
  });
  await linkFolders(installed, ['node_modules'], project);
  const [own, first] = [project, installed].map((folder) =>
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  copyFileSync(join(installed, 'package-lock.json'), join(project, 'package-lock.json'));
  if (own !== first) await runNpmInstall(project, []);
}

async function runNpmInstall(project: string, packages: readonly string[]): Promise<void> {
  const env = { ...process.env, ...quietNpm, npm_config_ignore_scripts: 'true' };
  await run('npm', ['install', '--silent', ...packages], { cwd: project, env, maxBuffer: 1 << 26 });
}

/** Copies folders below one folder to another: hard links where both are on the same disk. */
async function linkFolders(from: string, folders: readonly string[], to: string): Promise<void> {
  const copy = (copyFlag: string) =>
    run('cp', [copyFlag, '--parents', ...folders, to], { cwd: from });
  await copy('-al').catch(() => copy('-a'));
}

/** Links the commands of packages: npm would fetch a package again whose commands are missing. */
function linkCommands(packages: readonly string[], project: string): void {
  const folders = new Set(packages);
  const bin = 'node_modules/.bin';
  mkdirSync(join(project, bin), { recursive: true });
  for (const name of readdirSync(join(root, bin))) {
    const target = readlinkSync(join(root, bin, name));
    const [folder = ''] = /^node_modules\/(@[^/]+\/)?[^/]+/.exec(join(bin, target)) ?? [];
    if (folders.has(folder)) symlinkSync(target, join(project, bin, name));
  }
}

/** The properties that are read of a package.json and of an entry of package-lock.json. */
interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The packages that are installed with one. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies }: Package): object {
  return { ...dependencies, ...optionalDependencies, ...peerDependencies };
}

/**
 * The folders of node_modules, from this checkout, with what the package needs, and with other
 * packages and what they need.
 */
function packageFolders(otherPackages: readonly string[]): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Package>>;
  };
  const paths = new Set<string>();
  const addPackage = (name: string, from: string): void => {
    const path = `${from}${from === '' ? '' : '/'}node_modules/${name}`;
    const above = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')));
    if (packages[path] === undefined) {
      if (from !== '') addPackage(name, above);
      return;
    }
    if (paths.has(path) || !existsSync(join(root, path))) return;
    paths.add(path);
    for (const each of Object.keys(dependenciesOf(packages[path]))) addPackage(each, path);
  };
  for (const each of [...Object.keys(dependenciesOf(packages[''] ?? {})), ...otherPackages])
    addPackage(each, '');
  return new Set([...paths].map((path) => path.replace(/\/node_modules\/.*/, '')));
}

/**
 * A folder with the package installed from its tarball, for the projects of one run of the tests:
 * an installation takes half a minute. Projects that are made below it find the package.
 */
export async function folderWithCastellan(): Promise<string> {
  return await makeOnce('castellan-installed', async (made) => {
    await npmInstall(made, await packedCastellan());
    mkdirSync(join(made, 'projects'));
  });
}
