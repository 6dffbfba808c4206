import { isAbsolute, relative, resolve } from 'node:path';
import { codeOwners } from '../../../core/source/code-owners.js';
import { diskFiles, type FileAccess } from '../../../core/source/file-access.js';
import { gitFiles, type GitFiles } from '../../../core/source/git-files.js';
import { findConfigs } from '../../model/find-configs.js';
import type { RunCheckOptions } from '../check-report.js';
import type { Baseline } from './baseline.js';
import { type LoadedPolicy, loadPolicy } from './load-policy.js';
import { readBaseline } from './read-baseline.js';

/** The policy of the commit at which a change began, which judges the change. */
export interface PolicyAtBase {
  /** The commit or branch, as it was given. */
  readonly ref: string;
  readonly files: GitFiles;
  readonly policy: LoadedPolicy;
  /** Whether the policy is a file outside of the repository, which no change can touch. */
  readonly isOutside: boolean;
  /** The owners of a file by the base's CODEOWNERS. */
  readonly ownersOf: (file: string) => readonly string[];
  /** The baseline of an environment. */
  readonly baselineOf: (environment: string | undefined) => Baseline | undefined;
}

/**
 * Loads the policy at the commit where a branch left `ref`. A policy that the caller names is read
 * from that commit, too, unless it is outside of the repository.
 *
 * @param configFiles the configurations of the change.
 * @throws CAS7004 when git does not know the commit, CAS7006 without a common commit.
 */
export async function policyAtBase(
  options: RunCheckOptions & { readonly cwd: string },
  ref: string,
  configFiles: readonly string[],
): Promise<PolicyAtBase> {
  const { cwd, baseline, paths, recursive = true } = options;
  const files = gitFiles(cwd, ref);
  const isOutside = (file: string | undefined): boolean =>
    file !== undefined && isAbove(relative(files.root, resolve(cwd, file)));
  const filesOf = (file: string | undefined): FileAccess => (isOutside(file) ? diskFiles : files);
  const isThere = (file: string): boolean => filesOf(file).stat(resolve(cwd, file)).kind === 'file';
  const known = findConfigs(paths, { cwd, files, recursive }).configs.map(({ file }) => file);
  const policy = loadPolicy({
    cwd,
    files: filesOf(options.policy),
    sources: new Map(),
    file: options.policy !== undefined && isThere(options.policy) ? options.policy : undefined,
    configFiles: [...known, ...configFiles],
    root: files.root,
  });
  const owners = codeOwners(files.root, files);
  return {
    ref,
    files,
    policy,
    isOutside: isOutside(options.policy),
    ownersOf: (file) => owners(resolve(cwd, file)),
    baselineOf: (environment) =>
      baseline !== undefined && baseline !== 'none' && !isThere(baseline)
        ? undefined
        : readBaseline(baseline, {
            cwd,
            files: filesOf(baseline),
            policyFile: policy.file,
            declared: policy.config.baseline,
            environment,
          })?.baseline,
  };
}

function isAbove(path: string): boolean {
  return path.startsWith('..') || isAbsolute(path);
}
