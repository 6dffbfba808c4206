import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  fetchTerraform,
  pinnedRelease,
  publishedReleases,
  type ReleaseSource,
} from './fetch-terraform.js';

/** Where to look for Terraform. */
export interface FindTerraformOptions {
  /** `.castellan/bin` of this folder holds a fetched release. */
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a release may be fetched when none is installed (`--no-download` forbids it). */
  readonly download: 'allowed' | 'refused';
  /** Called with one line before a release is fetched. */
  readonly announce: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * The Terraform program to run: `CASTELLAN_TERRAFORM`, else `terraform` or `tofu` on PATH, else the
 * pinned release in `.castellan/bin`, fetched and verified on first use.
 *
 * @throws CAS2102 when there is none and none may be fetched; CAS2101 when fetching fails.
 */
export async function findTerraform(options: FindTerraformOptions): Promise<string> {
  const { env, projectDir } = options;
  const configured = env['CASTELLAN_TERRAFORM'];
  if (configured) {
    const path = configured.includes('/')
      ? isExecutable(configured)
        ? configured
        : undefined
      : onPath(configured, env);
    if (path === undefined)
      throw new CastellanError(
        'CAS2102',
        `CASTELLAN_TERRAFORM is "${configured}", which is not an executable file`,
      );
    return path;
  }
  const installed = onPath('terraform', env) ?? onPath('tofu', env);
  if (installed !== undefined) return installed;

  const fetched = join(projectDir, '.castellan', 'bin', `terraform-${pinnedRelease}`);
  if (isExecutable(fetched)) return fetched;
  if (options.download === 'refused')
    throw new CastellanError(
      'CAS2102',
      'neither terraform nor tofu is on PATH, and none was fetched (`castellan up` without --no-download fetches a release)',
    );
  const source = releaseSource(env);
  options.announce(
    `Terraform is not installed: fetching ${pinnedRelease} from ${source.baseUrl} into .castellan/bin`,
  );
  await fetchTerraform({
    version: pinnedRelease,
    source,
    target: fetched,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return fetched;
}

function releaseSource(env: FindTerraformOptions['env']): ReleaseSource {
  const keyFile = env['CASTELLAN_TERRAFORM_KEY'];
  return {
    baseUrl: (env['CASTELLAN_TERRAFORM_MIRROR'] ?? publishedReleases.baseUrl).replace(/\/+$/, ''),
    armoredKey:
      keyFile === undefined ? publishedReleases.armoredKey : readFileSync(keyFile, 'utf8'),
  };
}

function onPath(program: string, env: FindTerraformOptions['env']): string | undefined {
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
    return true;
  } catch {
    return false; // not there or not executable: the caller looks elsewhere
  }
}

/**
 * The variables that a synthesized stack takes from `TF_VAR_…`.
 *
 * @param json the text of its `cdk.tf.json`.
 */
export function environmentVariables(json: string): readonly string[] {
  const { variable } = JSON.parse(json) as {
    readonly variable?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(variable ?? {});
}
