import { isAbsolute, relative, resolve } from 'node:path';
import { codeOwners } from '../../../core/source/code-owners.js';
import { diskFiles, type FileAccess } from '../../../core/source/file-access.js';
import { mergeBaseFiles, type MergeBaseFiles } from '../../../core/source/git-files.js';
import { findConfigs } from '../../model/find-configs.js';
import type { RunCheckOptions } from '../check-report.js';
import type { Baseline } from './baseline.js';
import { type LoadedPolicy, loadPolicy } from './load-policy.js';
import { readBaseline } from './read-baseline.js';

/** The policies of the branch that a change is for. */
export interface PolicyAtBase {
  /** The commit or branch, as it was given. */
  readonly ref: string;
  /** The files as they were where the change began; `tip` has those of the branch now. */
  readonly mergeBase: MergeBaseFiles;
  /** The policy that the branch has now, which judges: an old one could be laxer. */
  readonly policy: LoadedPolicy;
  /** The policy as it was where the change began, with which the change's own is compared. */
  readonly policyAtMergeBase: LoadedPolicy;
  /** Whether the policy is a file outside of the repository, which no change can touch. */
  readonly isPolicyOutsideRepository: boolean;
  /** The owners of a file by the base's CODEOWNERS. */
  readonly ownersOf: (file: string) => readonly string[];
  /** The baseline of an environment. */
  readonly baselineOf: (environment: string | undefined) => Baseline | undefined;
}

/**
 * Loads the policy of `ref`, and the one that it had when the branch left it. A policy that the
 * caller names is read from there, too, unless it is outside of the repository.
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
  const files = options.baseFiles?.() ?? mergeBaseFiles(cwd, ref);
  const isOutsideRepository = (file: string | undefined): boolean =>
    file !== undefined && isOutside(relative(files.root, resolve(cwd, file)));
  const filesOf = (file: string | undefined, commitFiles: FileAccess): FileAccess =>
    isOutsideRepository(file) ? diskFiles : commitFiles;
  const existsIn = (file: string, commitFiles: FileAccess): boolean =>
    filesOf(file, commitFiles).stat(resolve(cwd, file)).kind === 'file';
  const policyOf = (commitFiles: FileAccess): LoadedPolicy => {
    const { configs } = findConfigs(paths, { cwd, files: commitFiles, recursive });
    const { policy: file } = options;
    return loadPolicy({
      cwd,
      files: filesOf(file, commitFiles),
      file: file !== undefined && existsIn(file, commitFiles) ? file : undefined,
      configFiles: [...configs.map((config) => config.file), ...configFiles],
      root: files.root,
      misnamed: 'ignored', // the change may be the one that corrects the name
    });
  };
  const policyAtMergeBase = policyOf(files);
  const ownersOf = codeOwners(files.root, files.tip);
  return {
    ref,
    mergeBase: files,
    policy: files.tip.commit === files.commit ? policyAtMergeBase : policyOf(files.tip),
    policyAtMergeBase,
    isPolicyOutsideRepository: isOutsideRepository(options.policy),
    ownersOf: (file) => ownersOf(resolve(cwd, file)),
    baselineOf: (environment) =>
      baseline !== undefined && baseline !== 'none' && !existsIn(baseline, files)
        ? undefined
        : readBaseline(baseline, {
            cwd,
            files: filesOf(baseline, files),
            policyFile: policyAtMergeBase.file,
            declaredFile: policyAtMergeBase.config.baseline,
            environment,
          })?.baseline,
  };
}

function isOutside(path: string): boolean {
  return /^\.\.([/\\]|$)/.test(path) || isAbsolute(path);
}
