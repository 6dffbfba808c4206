import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  type EngineName,
  engineNames,
  pinnedReleases,
  releaseArchive,
  type ReleaseArchive,
} from './engine-release.js';
import { fetchEngine, fetchError } from './fetch-engine.js';

/** Where to look for Terraform. */
export interface FindTerraformOptions {
  /** `.castellan/bin` of this folder holds a fetched release. */
  readonly projectDir: string;
  /** The environment of castellan. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The engine that the configuration asks for (`engine:`). */
  readonly configuredEngine?: EngineName | undefined;
  /** Whether a release may be fetched when none is installed (`--no-download` forbids it). */
  readonly download: 'allowed' | 'refused';
  /** Called with one line before a release is fetched. */
  readonly announce: (line: string) => void;
  /**
   * The release to fetch.
   *
   * @default the pinned one for this platform, from the publisher or a mirror
   */
  readonly archive?: ReleaseArchive;
  /** Ends the fetching of a release. */
  readonly signal?: AbortSignal;
}

/**
 * The program that plans and applies: `CASTELLAN_TERRAFORM`; else the engine that
 * `CASTELLAN_ENGINE`, `engine:` of the configuration or `TERRAFORM_BINARY_NAME` (the variable of
 * cdktf) names, on PATH; else `terraform` or `tofu` on PATH; else the pinned release of the engine
 * that is asked for, or of Terraform, in `.castellan/bin`, fetched on first use and compared with
 * its digest.
 *
 * @throws CAS2102 when there is none and none may be fetched, or when `CASTELLAN_TERRAFORM` is
 *   another engine than the one asked for; CAS2101 when fetching fails.
 */
export async function findTerraform(options: FindTerraformOptions): Promise<string> {
  const { env, projectDir } = options;
  const wanted = wantedEngine(options);
  const configuredProgram = env['CASTELLAN_TERRAFORM'];
  if (configuredProgram) {
    const path = configuredProgram.includes('/')
      ? [configuredProgram].find(isExecutable)
      : findOnPath(configuredProgram, env);
    if (path === undefined)
      throw new CastellanError(
        'CAS2102',
        `CASTELLAN_TERRAFORM is "${configuredProgram}", which is not an executable file`,
      );
    if (wanted !== undefined) await requireEngine(path, wanted);
    return path;
  }
  const programs = wanted === undefined ? engineNames : [wanted.program];
  for (const program of programs) {
    const installed = findOnPath(program, env);
    if (installed !== undefined) return installed;
  }
  const engine = programs.find(isEngineName);
  if (engine === undefined)
    throw new CastellanError(
      'CAS2102',
      `${String(wanted?.source)} asks for ${String(wanted?.program)}, which is not on PATH`,
    );

  const { title, version } = pinnedReleases[engine];
  const fetchedProgram = join(projectDir, '.castellan', 'bin', `${engine}-${version}`);
  if (isExecutable(fetchedProgram)) return fetchedProgram;
  if (options.download === 'refused')
    throw new CastellanError(
      'CAS2102',
      `${programs.length === 1 ? `${engine} is not` : 'neither terraform nor tofu is'} on PATH, and none was fetched (\`castellan up\` without --no-download fetches a release)`,
    );
  const archive = options.archive ?? archiveFor(engine, env);
  options.announce(
    `${title} is not installed: fetching ${version} from ${archive.url} into .castellan/bin`,
  );
  await fetchEngine(archive, fetchedProgram, options.signal);
  return fetchedProgram;
}

function isEngineName(program: string): program is EngineName {
  return (engineNames as readonly string[]).includes(program);
}

/** The engine that a setting asks for, and the setting. */
interface WantedEngine {
  /** `terraform`, `tofu`, or any program that `TERRAFORM_BINARY_NAME` names. */
  readonly program: string;
  /** `CASTELLAN_ENGINE`, `engine: tofu` or `TERRAFORM_BINARY_NAME`. */
  readonly source: string;
}

function wantedEngine({ env, configuredEngine }: FindTerraformOptions): WantedEngine | undefined {
  const chosen = env['CASTELLAN_ENGINE'];
  if (chosen) {
    if (!isEngineName(chosen))
      throw new CastellanError(
        'CAS2102',
        `CASTELLAN_ENGINE is "${chosen}": allowed are ${engineNames.join(' and ')}`,
      );
    return { program: chosen, source: 'CASTELLAN_ENGINE' };
  }
  if (configuredEngine !== undefined)
    return { program: configuredEngine, source: `engine: ${configuredEngine}` };
  const binary = env['TERRAFORM_BINARY_NAME'];
  return binary ? { program: binary, source: 'TERRAFORM_BINARY_NAME' } : undefined;
}

/** @throws CAS2102 when the program is not the wanted engine. */
async function requireEngine(program: string, wanted: WantedEngine): Promise<void> {
  if (!isEngineName(wanted.program)) return;
  const { name } = await detectEngine(program);
  if (name !== wanted.program)
    throw new CastellanError(
      'CAS2102',
      `CASTELLAN_TERRAFORM is ${program}, which is ${pinnedReleases[name].title}, but ${wanted.source} asks for ${wanted.program}`,
    );
}

/** An engine, as its command `version` prints it. */
export interface Engine {
  readonly name: EngineName;
  /** `Terraform` or `OpenTofu`. */
  readonly title: string;
  /** `1.11.4`. */
  readonly version: string;
}

const versionTimeoutMs = 20_000;

/**
 * Runs a program to learn which engine it is, and its version: either engine may be installed under
 * the name of the other.
 *
 * @throws CAS2102 when it is neither.
 */
export async function detectEngine(program: string): Promise<Engine> {
  const { stdout } = await promisify(execFile)(program, ['version'], {
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
    timeout: versionTimeoutMs,
  }).catch((cause: unknown) => {
    throw new CastellanError(
      'CAS2102',
      `${program} can't be started: ${(cause as Error).message.trim()}`,
      { cause },
    );
  });
  const match = /^(Terraform|OpenTofu) v(\d+\.\d+\.\d+\S*)/m.exec(stdout);
  if (match === null)
    throw new CastellanError('CAS2102', `${program} is neither Terraform nor OpenTofu`);
  const [, title = '', version = ''] = match;
  return { name: title === 'OpenTofu' ? 'tofu' : 'terraform', title, version };
}

/** @throws CAS2101 when the platform has no release. */
function archiveFor(engine: EngineName, env: FindTerraformOptions['env']): ReleaseArchive {
  const archive = releaseArchive(engine, env, process.platform, process.arch);
  if (archive === undefined)
    throw fetchError(
      `there is no release of ${pinnedReleases[engine].title} for ${process.platform} on ${process.arch}`,
    );
  return archive;
}

function findOnPath(program: string, env: FindTerraformOptions['env']): string | undefined {
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile(); // a folder is executable, too
  } catch {
    return false; // missing or not executable
  }
}
