import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import { gitFiles } from '../../core/source/git-files.js';
import type { LoadedStack, LoadOptions } from '../model/load-config.js';
import { loadConfig } from '../model/load-config.js';
import { checkStack, prepareStack } from './check-stack.js';
import type { StackIndex } from './stack-index.js';

/** What was declared and found before a change. */
export interface Base {
  /** What the stack of the same name declared. */
  indexOf(stack: LoadedStack): StackIndex | undefined;
  /** A finding, marked as new or unchanged. */
  marked(finding: Finding): Finding;
  /** How many findings were there before, and how many are gone. */
  compared(findings: readonly Finding[]): { readonly unchanged: number; readonly fixed: number };
}

/**
 * Loads and checks the configurations as they were in a commit.
 *
 * @throws CAS7004 when git does not know the commit, or this is no repository.
 */
export async function loadBase(
  options: LoadOptions & { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly now: Date },
  ref: string,
): Promise<Base> {
  const files = filesOf(options.cwd, ref);
  const { stacks } = await loadConfig({ ...options, files });
  const known = { env: options.env, now: options.now };
  const indexes = new Map(stacks.map((stack) => [nameOf(stack), prepareStack(stack, known).index]));
  const before = new Set(stacks.flatMap((stack) => checkStack(stack, known)).map(keyOf));
  return {
    indexOf: (stack) => indexes.get(nameOf(stack)),
    marked: (finding) => ({ ...finding, change: before.has(keyOf(finding)) ? 'unchanged' : 'new' }),
    compared(findings) {
      const now = new Set(findings.map(keyOf));
      return {
        unchanged: findings.filter(({ change }) => change === 'unchanged').length,
        fixed: [...before].filter((key) => !now.has(key)).length,
      };
    },
  };
}

function filesOf(cwd: string, ref: string): FileAccess {
  try {
    return gitFiles(cwd, ref);
  } catch (cause) {
    const said = String((cause as { stderr?: unknown }).stderr ?? (cause as Error).message).trim();
    throw new CastellanError('CAS7004', `there is nothing to compare with at ${ref}: ${said}`, { details: { ref }, cause });
  }
}

function nameOf({ config }: LoadedStack): unknown {
  return (config as { readonly stack?: unknown } | null)?.stack;
}

function keyOf({ fingerprint, verdict }: Finding): string {
  return `${fingerprint} ${verdict}`;
}
