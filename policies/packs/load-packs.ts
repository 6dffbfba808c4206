import type { Rule } from '../engine/rule.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import { type PackInput, type PackCheckResult, timeLimits } from './protocol.js';
import { packError, resolvePackFile, packName, readableFiles } from './resolve-pack.js';
import { PackProgram } from './pack-program.js';

/** What a change does to the files of a pack. */
export interface PackChange {
  /** An absolute path. */
  readonly file: string;
  /** Whether it decides which packages are installed, of which the pack imports some. */
  readonly decidesInstalledPackages: boolean;
}

/** Custom rules, running in a process of their own. */
export interface LoadedPack {
  /** The pack's name in messages. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /**
   * For a pack as it is at the base of a change: what the change does to its files, if it does
   * anything.
   */
  readonly changedIn?: PackChange | undefined;
  /** Runs the rules on a stack. A failure or a time-out is an answer, never an exception. */
  run(input: PackInput): Promise<PackCheckResult>;
  close(): Promise<void>;
}

/**
 * Starts the packs of a policy, each in its own process with a time limit and limited memory.
 *
 * @param folder the folder of the policy.
 * @param reservedIds the ids of Castellan's own rules.
 * @throws CAS7003 when a pack cannot be found, its hash differs, it has no rule, or a rule id that
 *   is taken.
 */
export async function loadPacks(
  packs: readonly PackConfig[],
  folder: string,
  reservedIds: readonly string[],
): Promise<readonly LoadedPack[]> {
  const starts = await Promise.allSettled(packs.map((pack) => startPack(pack, folder)));
  const loadedPacks = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of starts) if (each.status === 'rejected') throw each.reason;
    checkIds(packs, loadedPacks, reservedIds);
    return loadedPacks;
  } catch (error) {
    await Promise.all(loadedPacks.map((each) => each.close()));
    throw error;
  }
}

function checkIds(
  packs: readonly PackConfig[],
  loadedPacks: readonly LoadedPack[],
  reservedIds: readonly string[],
): void {
  const owners = new Map(reservedIds.map((id) => [id, 'castellan']));
  loadedPacks.forEach(({ name, rules }, index) => {
    for (const { id } of rules) {
      const owner = owners.get(id);
      if (owner !== undefined)
        throw packError(
          packs[index] ?? {},
          `the rule "${id}" has the id of a rule of ${owner}; give it another`,
        );
      owners.set(id, name);
    }
  });
}

function startProgram(pack: PackConfig, folder: string): PackProgram {
  const file = resolvePackFile(pack, folder);
  return new PackProgram({ pack, file, folder }, readableFiles(pack, file, folder));
}

async function startPack(pack: PackConfig, folder: string): Promise<LoadedPack> {
  const program = startProgram(pack, folder);
  const limitMs = (pack.timeLimitSeconds ?? timeLimits.stack) * 1000;
  const firstAnswer = await program.load(timeLimits.load * 1000);
  if (!('rules' in firstAnswer)) {
    program.close();
    throw packError(pack, 'failure' in firstAnswer ? firstAnswer.failure : 'it did not answer');
  }
  return {
    name: packName(pack),
    rules: firstAnswer.rules,
    async run(input) {
      const answer = await program.check(input, limitMs);
      if ('findings' in answer) return answer;
      return {
        findings: [],
        failures: ['failure' in answer ? answer.failure : 'it did not answer'],
      };
    },
    close: async () => program.close(),
  };
}
