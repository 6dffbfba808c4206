import { resolve } from 'node:path';
import { diskFiles } from '../../core/source/file-access.js';
import { readSource } from '../../core/source/read-source.js';
import type { SourceText } from '../../core/source/source-text.js';
import { findPolicy } from '../../policies/check/policy/find-policy.js';
import {
  type LoadedPolicy,
  loadPolicy,
  noPolicy,
} from '../../policies/check/policy/load-policy.js';

interface CachedPolicy {
  readonly policy: LoadedPolicy;
  /** The texts of the policy and of those that it includes, by path relative to `cwd`. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The current folder when it was loaded. */
  readonly cwd: string;
}

let cachedPolicy: CachedPolicy | undefined;

/**
 * The policy that judges programs in the current folder, as `castellan check` finds it there, with
 * those that it includes. An app with many stacks loads it once.
 */
export function currentPolicy(): LoadedPolicy {
  const cwd = process.cwd();
  const search = { cwd, files: diskFiles, configFiles: [] };
  const file = findPolicy(search);
  if (file === undefined) return noPolicy;
  if (
    cachedPolicy !== undefined &&
    cachedPolicy.policy.file === file &&
    isCurrent(cachedPolicy, cwd)
  )
    return cachedPolicy.policy;
  const sources = new Map<string, SourceText>();
  const policy = loadPolicy({ ...search, sources });
  // not with findings: a file that was missing may exist at the next call
  cachedPolicy = policy.findings.length === 0 ? { policy, sources, cwd } : undefined;
  return policy;
}

function isCurrent({ sources, cwd }: CachedPolicy, currentFolder: string): boolean {
  return (
    cwd === currentFolder &&
    [...sources].every(([file, { text }]) => {
      const read = readSource(resolve(cwd, file), diskFiles, file);
      return 'source' in read && read.source.text === text;
    })
  );
}
