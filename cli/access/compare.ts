import { compareAccess } from '../../access/compare/compare.js';
import { accessFindings } from '../../access/compare/findings.js';
import type { AccessComparison } from '../../access/compare/report.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import type { AccessModel } from '../../access/model.js';
import { accessModel } from '../../access/model.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { GitFiles } from '../../core/source/git-files.js';
import { gitFiles } from '../../core/source/git-files.js';
import { diskFiles } from '../../core/source/file-access.js';
import { loadPolicy } from '../../policies/configuration/load-policy.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { CliIo } from '../command.js';
import type { AccessStack } from './load.js';
import { resolvedConfig } from './load.js';

/** What is compared with what. */
export interface CompareOptions {
  /** A commit, branch or tag. */
  readonly ref: string;
  readonly paths: readonly string[];
  readonly environment?: string | undefined;
  readonly policy?: string | undefined;
  readonly now: number;
}

/**
 * Compares who gets in with how it was where the change began, over the same people.
 *
 * @throws CAS7004 when git doesn't know the commit, or this is no repository.
 */
export async function compareWithBase(
  { ref, paths, environment, policy: file, now }: CompareOptions,
  stacks: readonly AccessStack[],
  head: AccessModel,
  read: DirectorySnapshot,
  io: CliIo,
): Promise<AccessComparison> {
  const { stacks: before } = await loadConfig({ paths, environment, recursive: true, cwd: io.cwd, files: filesAt(io.cwd, ref) });
  const configs = before.map(({ config }) => resolvedConfig(config, io.env));
  const base = accessModel(configs, read, { now, like: head });
  const changes = compareAccess(head, base);
  const configFiles = stacks.flatMap(({ loaded }) => loaded.files.slice(0, 1));
  const policy = await loadPolicy({ cwd: io.cwd, files: diskFiles, sources: new Map(), file, configFiles });
  const findings = accessFindings(changes, { head, base, policy, stacks: stacks.map(({ loaded }) => loaded) });
  return { ref, changes, findings, head, base };
}

function filesAt(cwd: string, ref: string): GitFiles {
  try {
    return gitFiles(cwd, ref);
  } catch (cause) {
    const said = String((cause as { readonly stderr?: unknown }).stderr ?? (cause as Error).message);
    throw new CastellanError('CAS7004', `there is nothing to compare with at ${ref}: ${said.trim().split('\n')[0] ?? ''}`, {
      details: { ref },
      cause,
    });
  }
}
