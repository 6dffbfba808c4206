import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { replaceFile } from '../../core/source/replace-file.js';
import { localStateOf, stateVersionOf, readStateVersion, type StateVersion } from './state-file.js';

/**
 * The state after a run: `whole` as Terraform wrote it; `recovered` from another place where
 * Terraform wrote or printed it; `restored` to the state before the run; `lost` if there was none
 * before.
 */
export type StateOutcome = 'whole' | 'recovered' | 'restored' | 'lost';

const megabyte = 1024 * 1024;
/** In milliseconds. If another run is just writing the state, it is complete within this time. */
const writing = { for: 2000, every: 100 };

/**
 * Protects a local state from a run that cannot write it: Terraform writes in place, and a full
 * disk leaves half a file. Before the run the state is copied (`….last-good`), and space for the
 * next one is reserved (`….reserve`).
 */
export class StateKeeper {
  /** Absolute; undefined for a state that is not local, which needs no protection. */
  readonly path: string | undefined;
  readonly #errored: string;
  #printed: string | undefined;

  /** @param directory Terraform's working directory, with `cdk.tf.json`. */
  constructor(directory: string) {
    this.path = localStateOf(directory);
    this.#errored = join(directory, 'errored.tfstate');
  }

  /** Called before a run. @throws CAS2106 when there is no space for the copy and the reserve. */
  keep(): void {
    const { path } = this;
    if (path === undefined) return;
    rmSync(this.#errored, { force: true }); // left by an older run
    const isMarked = isMark(readStateVersion(path));
    const size = isMarked ? statSync(path).size : 0;
    try {
      if (isMarked) replaceFile(copyOf(path), (draft) => copyFileSync(path, draft));
      replaceFile(reserveOf(path), (draft) =>
        writeFileSync(draft, Buffer.alloc(2 * Math.max(megabyte, size)), { mode: 0o600 }),
      );
    } catch (cause) {
      throw new CastellanError(
        'CAS2106',
        `${path} can't be kept for the run: ${(cause as Error).message}. Nothing was changed`,
        { cause },
      );
    }
  }

  /** The state that Terraform printed because it could not write it. */
  onOutput(text: string): void {
    this.#printed = text;
  }

  /** Called after every run: restores an incomplete state. */
  settle(): StateOutcome {
    const { path } = this;
    if (path === undefined) return 'whole';
    rmSync(reserveOf(path), { force: true });
    const outcome = this.#repair(path);
    rmSync(copyOf(path), { force: true });
    return outcome;
  }

  /** Called before the state is read: restores it after a killed run or a power failure. */
  async repair(): Promise<StateOutcome> {
    const { path } = this;
    if (path === undefined) return 'whole';
    for (const until = Date.now() + writing.for; this.#wasCut(path) && Date.now() < until;)
      await wait(writing.every);
    return this.#wasCut(path) ? this.settle() : 'whole';
  }

  /** Whether a run ended without writing its state completely. */
  #wasCut(path: string): boolean {
    const [state, errored] = [readStateVersion(path), readStateVersion(this.#errored)];
    if (isMark(state))
      return isMark(errored) && errored.lineage === state.lineage && errored.serial > state.serial;
    // A first run starts with an empty state: only an incomplete text shows that a run did not end.
    const half = state === 'broken' && existsSync(reserveOf(path)) && statSync(path).size > 0;
    return isMark(errored) || isMark(readStateVersion(copyOf(path))) || half;
  }

  #repair(path: string): StateOutcome {
    const state = readStateVersion(path);
    const output = this.#printed;
    if (output !== undefined && isNewer(stateVersionOf(output), state)) {
      replaceFile(path, (draft) => writeFileSync(draft, output, { mode: 0o600 }));
      rmSync(this.#errored, { force: true }); // an incomplete copy
      return 'recovered';
    }
    if (isNewer(readStateVersion(this.#errored), state)) {
      replaceFile(path, (draft) => copyFileSync(this.#errored, draft));
      rmSync(this.#errored);
      return 'recovered';
    }
    if (isMark(state)) return 'whole';
    if (isMark(readStateVersion(copyOf(path)))) {
      renameSync(copyOf(path), path);
      return 'restored';
    }
    if (state === 'absent' || statSync(path).size === 0) return 'whole';
    renameSync(path, `${path}.broken`);
    return 'lost';
  }
}

const copyOf = (path: string): string => `${path}.last-good`;
const reserveOf = (path: string): string => `${path}.reserve`;

function isMark(mark: StateVersion | 'absent' | 'broken'): mark is StateVersion {
  return typeof mark === 'object';
}

/** Whether a state that Terraform stored elsewhere is newer than the one in place. */
function isNewer(
  copy: StateVersion | 'absent' | 'broken',
  state: StateVersion | 'absent' | 'broken',
): boolean {
  if (!isMark(copy)) return false;
  return !isMark(state) || (copy.lineage === state.lineage && copy.serial >= state.serial);
}
