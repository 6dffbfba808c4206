import { basename, dirname, join, resolve } from 'node:path';
import { type FileAccess, repositoryOf } from '../../core/source/file-access.js';
import { loadConfig } from '../../policies/index.js';
import {
  environmentsBeside,
  isOverlayName,
  overlayPath,
} from '../../policies/model/environments.js';
import { configNames, findConfigs } from '../../policies/model/find-configs.js';

/** The files of a configuration. */
interface ConfigurationFiles {
  /** Those whose declarations it has. */
  readonly declaringFiles: readonly string[];
  /** Those, and the ones that are no YAML while they are typed. */
  readonly readFiles: readonly string[];
}

/**
 * Which configurations the files of a repository belong to, as they are in the editor. An overlay
 * (`castellan.prod.yaml`) stands for its configuration in that environment.
 */
export class ConfigurationIndex {
  /** The files of each configuration or overlay, since one of them changed last. */
  readonly #filesByConfig = new Map<string, ConfigurationFiles>();
  readonly #outdated = new Set<string>();
  /** By the folder of a file: the configurations that may include it, until a file is opened. */
  readonly #candidatesByFolder = new Map<string, readonly string[]>();

  constructor(private readonly files: FileAccess) {}

  /** Marks the configurations that read a file, so that they are read again. */
  markOutdated(file: string): void {
    for (const [config, { readFiles }] of this.#filesByConfig)
      if (readFiles.includes(file)) this.#outdated.add(config);
  }

  /** Looks for configurations again when they are asked for next: a file was opened or closed. */
  forgetCandidates(): void {
    this.#candidatesByFolder.clear();
    // one of them may include it, which was missing
    for (const config of this.#filesByConfig.keys()) this.#outdated.add(config);
  }

  /**
   * The configurations that a file belongs to: itself, or all that include it. Overlays are among
   * them where their configuration includes it in that environment alone. A file of any other name
   * is one if it names its stack; other YAML files belong to none.
   */
  async configurationsOf(file: string): Promise<readonly string[]> {
    if (isConfigOrOverlay(file)) return [file];
    const includingConfigs: string[] = [];
    let isPart = false;
    for (const each of this.#configsAround(dirname(file))) {
      const { declaringFiles, readFiles } = await this.#filesOfConfig(each);
      if (declaringFiles.includes(file)) includingConfigs.push(each);
      isPart ||= readFiles.includes(file);
    }
    const withoutOverlays = includingConfigs.filter(
      (each) =>
        this.baseConfigOf(each) === each || !includingConfigs.includes(this.baseConfigOf(each)),
    );
    const isInNoConfig = withoutOverlays.length === 0;
    return isInNoConfig && (isPart || this.#namesStack(file)) ? [file] : withoutOverlays;
  }

  /**
   * The configurations, without overlays, that a file belongs to, and those which share a file with
   * one of them.
   */
  async configurationsConnectedWith(file: string): Promise<readonly string[]> {
    const configs = new Set(
      (await this.configurationsOf(file)).map((each) => this.baseConfigOf(each)),
    );
    const visitedFiles = new Set<string>();
    // iterating a Set also visits the entries that are added meanwhile
    for (const config of configs)
      for (const each of [config, ...this.#overlaysOf(config)])
        for (const shared of (await this.#filesOfConfig(each)).declaringFiles) {
          if (isConfigOrOverlay(shared) || visitedFiles.has(shared)) continue;
          visitedFiles.add(shared);
          for (const other of await this.configurationsOf(shared))
            configs.add(this.baseConfigOf(other));
        }
    return [...configs];
  }

  /** The configuration whose overlay a file is; the file itself where it is none. */
  baseConfigOf(file: string): string {
    const base = join(
      dirname(file),
      basename(file).replace(/^(castellan)\.[\w-]+(\.\w+)$/, '$1$2'),
    );
    return base !== file && this.files.stat(base).kind === 'file' ? base : file;
  }

  /** The configurations in a folder. */
  configurationsIn(folder: string): readonly string[] {
    return configNames
      .map((name) => join(folder, name))
      .filter((each) => this.files.stat(each).kind === 'file');
  }

  /** The files of a configuration; the previous ones while it can't be read. */
  async #filesOfConfig(config: string): Promise<ConfigurationFiles> {
    const cached = this.#filesByConfig.get(config);
    if (cached !== undefined && !this.#outdated.delete(config)) return cached;
    const { stacks, sources } = this.#mayInclude(config)
      ? await loadConfig({ paths: [config], cwd: '/', files: this.files })
      : { stacks: [], sources: new Map<string, never>() };
    const declaringFiles = new Set(stacks.flatMap((stack) => stack.files.map(toAbsolute)));
    const readFiles = new Set([config, ...declaringFiles, ...[...sources.keys()].map(toAbsolute)]);
    const files = {
      declaringFiles:
        declaringFiles.size > 0 ? [...declaringFiles] : (cached?.declaringFiles ?? [config]),
      readFiles: [...readFiles],
    };
    this.#filesByConfig.set(config, files);
    return files;
  }

  #namesStack(file: string): boolean {
    const { files } = this;
    return (
      files.stat(file).kind === 'file' &&
      /(?:^|[{,][ \t]*)["']?stack["']?[ \t]*:/m.test(Buffer.from(files.read(file)).toString('utf8'))
    );
  }

  #mayInclude(config: string): boolean {
    const { files } = this;
    return (
      files.stat(config).kind === 'file' && Buffer.from(files.read(config)).includes('include')
    );
  }

  /**
   * The configurations and overlays that may include a file of a folder: those of its repository;
   * without one, those in the folder and above.
   */
  #configsAround(folder: string): readonly string[] {
    const cached = this.#candidatesByFolder.get(folder);
    if (cached !== undefined) return cached;
    const { files } = this;
    const repository = repositoryOf(folder, files);
    const configs =
      repository === undefined
        ? this.#configsAbove(folder)
        : findConfigs([repository], { cwd: '/', files, recursive: true }).configs.map(
            (each) => each.file,
          );
    const nearbyConfigs = configs.flatMap((each) => [each, ...this.#overlaysOf(each)]);
    this.#candidatesByFolder.set(folder, nearbyConfigs);
    return nearbyConfigs;
  }

  #overlaysOf(config: string): readonly string[] {
    return environmentsBeside(config, { cwd: '/', files: this.files }).map((environment) =>
      overlayPath(config, environment),
    );
  }

  #configsAbove(folder: string): readonly string[] {
    const configsHere = this.configurationsIn(folder);
    return dirname(folder) === folder
      ? configsHere
      : [...configsHere, ...this.#configsAbove(dirname(folder))];
  }
}

function toAbsolute(file: string): string {
  return resolve('/', file);
}

/** Whether a file is a configuration, or an overlay of one. */
function isConfigOrOverlay(file: string): boolean {
  const [name, environment] =
    /^castellan(?:\.([\w-]+))?\.(?:ya?ml|json)$/.exec(basename(file)) ?? [];
  return name !== undefined && (environment === undefined || isOverlayName(environment));
}
