import { basename, dirname, join, relative, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { Problem } from '../../core/source/problem.js';
import { systemErrorText } from '../../core/source/read-source.js';
import { terraformCodeProblem } from './terraform-files.js';

/** The file names of configurations. */
export const configNames = ['castellan.yaml', 'castellan.yml', 'castellan.json'];

/** A configuration to load: its base file, and the environment that the given name implies. */
export interface ConfigFile {
  /** The base file, also where an overlay was named. */
  readonly file: string;
  /** `prod` where `castellan.prod.yaml` was named. @default none is implied */
  readonly environment?: string;
}

/** Where to look for configurations. */
export interface FindOptions {
  /** The folder that relative paths start at. */
  readonly cwd: string;
  readonly files: FileAccess;
  /** Whether to search subfolders. */
  readonly recursive: boolean;
}

/** The configurations that were found. */
export interface FoundConfigs {
  readonly configs: readonly ConfigFile[];
  readonly problems: readonly Problem[];
  /** The folders that were not searched. */
  readonly skipped: readonly string[];
}

const maxDepth = 20;

/** Folders of generated and installed files, and those whose name begins with a dot. */
function isSkipped(folder: string): boolean {
  return folder.startsWith('.') || ['node_modules', 'dist', 'cdktf.out'].includes(folder);
}

/**
 * The configurations in the given files and folders, in their order, without duplicates. Where it
 * is known which files belong to the repository, those among them are found in every folder;
 * otherwise folders of generated files are not searched.
 *
 * @throws CAS2010 when a path is empty, as that of an unset variable is.
 */
export function findConfigs(paths: readonly string[], options: FindOptions): FoundConfigs {
  const configs = new Map<string, ConfigFile>();
  const log: SearchLog = { problems: [], skipped: [] };
  const { problems } = log;
  const add = (config: ConfigFile): void => {
    configs.set(`${resolve(options.cwd, config.file)}:${config.environment ?? ''}`, config);
  };
  for (const path of paths) {
    if (path === '')
      throw new CastellanError('CAS2010', 'a path is empty; the path of this folder is "."');
    const { kind } = options.files.stat(resolve(options.cwd, path));
    const codeProblem = kind === 'file' ? terraformCodeProblem(path) : undefined;
    if (codeProblem !== undefined) problems.push(codeProblem);
    else if (kind === 'folder') {
      const files = [...configsInFolder(path, options, log), ...trackedConfigsIn(path, options)];
      for (const file of files) add({ file });
      if (files.length === 0 && /\.(ya?ml|json)$/.test(path))
        problems.push({
          id: 'config-unreadable',
          message: `${path} is a folder, not a file`,
          location: { file: path, line: 1, column: 1 },
        });
    } else if (kind === 'missing')
      problems.push({
        id: 'config-unreadable',
        message: `${path} does not exist${path === '-' ? ': a configuration is read from a file, not from a pipe' : ''}`,
        location: { file: path, line: 1, column: 1 },
      });
    // a policy is not a configuration: the configurations beside it are meant
    else if (basename(path) === 'castellan.policy.yaml')
      for (const file of configsInFolder(dirname(path), { ...options, recursive: false }, log))
        add({ file });
    else add(configOfOverlay(path, options) ?? { file: path });
  }
  return { configs: [...configs.values()], ...log };
}

interface SearchLog {
  readonly problems: Problem[];
  /** The folders that were not searched. */
  readonly skipped: string[];
}

function configsInFolder(
  folder: string,
  options: FindOptions,
  log: SearchLog,
  depth = 0,
): readonly string[] {
  const entries = listFolder(folder, options, log.problems);
  const configsHere = configNames.filter(
    (name) => entries.includes(name) || entries.includes(`${name}/`),
  );
  const files = configsHere.map((name) => join(folder, name));
  if (!options.recursive) return files;
  for (const entry of entries) {
    const name = entry.slice(0, -1);
    if (!entry.endsWith('/') || entry === '.git/' || configNames.includes(name)) continue;
    const path = join(folder, name);
    if (isSkipped(name) || depth === maxDepth) log.skipped.push(path);
    else files.push(...configsInFolder(path, options, log, depth + 1));
  }
  return files;
}

/** The configurations of the repository below a folder. */
function trackedConfigsIn(
  folder: string,
  { cwd, files, recursive }: FindOptions,
): readonly string[] {
  if (!recursive || files.tracked === undefined) return [];
  const top = resolve(cwd, folder);
  return files
    .tracked()
    .filter((path) => configNames.includes(basename(path)) && isBelow(path, top))
    .filter((path) => files.stat(path).kind === 'file')
    .map((path) => join(folder, relative(top, path)));
}

function isBelow(path: string, folder: string): boolean {
  return !/^\.\.([/\\]|$)/.test(relative(folder, path));
}

/** A folder whose name is not UTF-8 is passed over: no configuration in it can be named. */
function listFolder(
  folder: string,
  { cwd, files }: FindOptions,
  problems: Problem[],
): readonly string[] {
  try {
    return [...files.list(resolve(cwd, folder))].sort();
  } catch (error) {
    const message = `${folder} can't be read: ${systemErrorText(error)}`;
    if (!folder.includes('\ufffd'))
      problems.push({
        id: 'config-unreadable',
        message,
        location: { file: folder, line: 1, column: 1 },
      });
    return [];
  }
}

/** `castellan.prod.yaml` beside `castellan.yaml` means the latter with the environment `prod`. */
function configOfOverlay(path: string, { cwd, files }: FindOptions): ConfigFile | undefined {
  const parts = /^(.+)\.([A-Za-z0-9_-]+)\.(ya?ml|json)$/.exec(basename(path));
  if (parts === null) return undefined;
  const base = join(dirname(path), `${parts[1]}.${parts[3]}`);
  return files.stat(resolve(cwd, base)).kind === 'file'
    ? { file: base, environment: parts[2] ?? '' }
    : undefined;
}
