import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { diskFiles, repositoryOf } from '../../core/source/file-access.js';

/**
 * The files that a pack's rules can run: those in its hash, and those that its program may read.
 */
export interface PackFiles {
  /** Modules of the pack itself, by their paths. */
  readonly files: readonly string[];
  /** The folders of packages that they load. */
  readonly packageFolders: readonly string[];
  /** The folders `node_modules` in which they are installed, where these are symbolic links. */
  readonly links?: readonly string[];
}

/** The forms of imports: import, export from, require, and import(). */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])([^"'\n]+)\1/g;
const castellanImport = /^castellan\/policies$/;
const codePattern = /\.[cm]?[jt]s$/;

/**
 * Follows the imports of a rules file. Computed names are not found, and cannot be loaded either;
 * nor can files outside the repository, except those of packages.
 */
export function filesOfModule(file: string): PackFiles {
  const repository = repositoryOf(dirname(file), diskFiles);
  const isInRepository = (path: string): boolean =>
    repository === undefined || realpathSync(path).startsWith(`${realpathSync(repository)}${sep}`);
  const files = new Set<string>();
  const packageFolders = new Set<string>();
  const links = new Set<string>();
  const visit = (module: string): void => {
    if (files.has(module)) return;
    files.add(module);
    if (!codePattern.test(module)) return;
    const moduleRequire = createRequire(module);
    for (const [, , name = ''] of readFileSync(module, 'utf8').matchAll(importPattern)) {
      if (castellanImport.test(name) || isBuiltin(name)) continue;
      const file = resolveFrom(moduleRequire, name);
      if (file === undefined) continue; // loading it reports what is missing
      // other files are no modules, and what looks like an import may be a comment
      if (isPathImport(name)) {
        if ((codePattern.test(file) || file.endsWith('.json')) && isInRepository(file)) visit(file);
      } else if (isInRepository(file) || isInPackage(file)) {
        for (const each of packageWithDependencies(packageFolder(file))) packageFolders.add(each);
        for (const each of linkedModuleFolders(name, moduleRequire)) links.add(each);
      }
    }
  };
  visit(file);
  return { files: [...files], packageFolders: [...packageFolders], links: [...links] };
}

/** Whether an import is of a file by its path, not of a package. */
export function isPathImport(name: string): boolean {
  return name.startsWith('.') || isAbsolute(name);
}

/**
 * The folder `node_modules` in which a package is installed, if it is a symbolic link: Node reads
 * the link, too.
 */
function linkedModuleFolders(name: string, moduleRequire: NodeJS.Require): readonly string[] {
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
  return (moduleRequire.resolve.paths(name) ?? [])
    .filter((each) => existsSync(join(each, packageName)))
    .slice(0, 1)
    .filter((each) => realpathSync(each) !== each);
}

/** A package and all of its dependencies, wherever they are installed. */
export function packageWithDependencies(
  folder: string,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  const realFolder = realpathSync(folder);
  if (found.has(realFolder)) return found;
  found.add(realFolder);
  const file = join(realFolder, 'package.json');
  if (!existsSync(file)) return found;
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(file, 'utf8'),
  ) as Record<string, object | undefined>;
  const packageRequire = createRequire(file);
  for (const name of Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })) {
    if (name === 'castellan') continue;
    const candidate = (packageRequire.resolve.paths(name) ?? [])
      .map((each) => join(each, name))
      .find((each) => existsSync(each));
    if (candidate !== undefined) packageWithDependencies(candidate, found);
  }
  return found;
}

/**
 * The folder of a file's package: the one in `node_modules`, or the closest one whose package.json
 * has a name. Those without a name only say how Node reads the folder.
 */
export function packageFolder(file: string): string {
  return closestPackage(file) ?? dirname(file);
}

function isInPackage(file: string): boolean {
  return closestPackage(file) !== undefined;
}

function closestPackage(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (installedPackage.test(folder) || hasNamedPackage(folder)) return folder;
  return undefined;
}

/** A folder in `node_modules`, or in that of a scope there; not one of tools, such as `.cache`. */
const installedPackage = /[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/.@][^\\/]*$/;

function hasNamedPackage(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return false;
  const { name } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown };
  return typeof name === 'string';
}

/** The path of an imported module: TypeScript may omit its extension, or write `.js` for it. */
export function resolveFrom(moduleRequire: NodeJS.Require, name: string): string | undefined {
  for (const candidate of [name, `${name}.ts`, name.replace(/\.js$/, '.ts')]) {
    try {
      return moduleRequire.resolve(candidate);
    } catch {
      continue; // tries the next spelling
    }
  }
  return undefined;
}

/** The algorithm of a hash. */
export type Algorithm = 'sha256' | 'sha512';

/**
 * The hash of all files that a rules file can run: of the file alone if it imports nothing,
 * otherwise of all of them with their names.
 */
export function hashOfModule(file: string, algorithm: Algorithm): string {
  const { files, packageFolders } = filesOfModule(file);
  if (files.length === 1 && packageFolders.length === 0)
    return hashOf(readFileSync(file), algorithm);
  const folder = dirname(file);
  const lines = files.map((each) =>
    hashLine(relative(folder, each), readFileSync(each), algorithm),
  );
  return hashOf(
    [...lines, ...packageFolders.map((each) => `${hashOfFolder(each, algorithm)} package\n`)]
      .sort()
      .join(''),
    algorithm,
  );
}

/**
 * The hash of all files of a package and its dependencies: names, contents, nested packages, and
 * the targets of links.
 */
export function hashOfPackage(folder: string, algorithm: Algorithm): string {
  const [own = '', ...others] = [...packageWithDependencies(folder)].map((each) =>
    hashOfFolder(each, algorithm),
  );
  return others.length === 0 ? own : hashOf([own, ...others.sort()].join('\n'), algorithm);
}

function hashOfFolder(folder: string, algorithm: Algorithm): string {
  const lines: string[] = [];
  const visit = (path: string, name: string, ancestors: readonly string[]): void => {
    const isLink = lstatSync(path).isSymbolicLink();
    if (isLink) lines.push(hashLine(`${name} ->`, readlinkSync(path), algorithm));
    if (isLink && !existsSync(path)) return;
    const target = realpathSync(path);
    if (statSync(target).isFile()) lines.push(hashLine(name, readFileSync(target), algorithm));
    // a cyclic link is followed once
    else if (statSync(target).isDirectory() && !ancestors.includes(target))
      for (const each of readdirSync(target))
        visit(join(path, each), name === '' ? each : `${name}/${each}`, [...ancestors, target]);
  };
  visit(folder, '', []);
  return hashOf(lines.sort().join(''), algorithm);
}

function hashLine(name: string, content: Buffer | string, algorithm: Algorithm): string {
  return `${hashOf(content, algorithm)} ${name.split(sep).join('/')}\n`;
}

function hashOf(content: Buffer | string, algorithm: Algorithm): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}
