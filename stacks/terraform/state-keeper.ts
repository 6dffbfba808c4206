import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { isPermissionDenied } from '../../core/errors/permission-denied.js';
import { replaceFile } from '../../core/source/replace-file.js';
import {
  localStateFileOf,
  stateVersionOf,
  readStateVersion,
  type StateVersion,
} from './state-file.js';

/**
 * The state after a run: `intact` as Terraform wrote it; `recovered` from another place where
 * Terraform wrote or printed it; `restored` to the state before the run; `lost` if there was none
 * before.
 */
export type StateOutcome = 'intact' | 'recovered' | 'restored' | 'lost';

const megabyte = 1024 * 1024;
/** In milliseconds: within this time, another run that is writing the state completes it. */
const writeWait = { timeout: 2000, interval: 100 };

/**
 * Protects a local state from a run that cannot write it: Terraform writes in place, and a full
 * disk leaves half a file. Before the run the state is copied (`….last-good`), and space for the
 * next one is reserved (`….reserve`).
 */
export class StateKeeper {
  /** Absolute; undefined for a state that is not local, which needs no protection. */
  readonly path: string | undefined;
  /** The file to which Terraform writes a state that it cannot store. */
  readonly #emergencyState: string;
  #printedState: string | undefined;

  /** @param directory Terraform's working directory, with `cdk.tf.json`. */
  constructor(directory: string) {
    this.path = localStateFileOf(directory);
    this.#emergencyState = join(directory, 'errored.tfstate');
  }

  /**
   * Called before a run.
   *
   * @throws CAS2106 when there is no space for the copy and the reserve, CAS8207 when they may not be
   *   written.
   */
  backUp(): void {
    const { path } = this;
    if (path === undefined) return;
    rmSync(this.#emergencyState, { force: true }); // left by an older run
    const isReadable = isVersion(readStateVersion(path));
    const size = isReadable ? statSync(path).size : 0;
    try {
      if (isReadable) replaceFile(backupPathOf(path), (draft) => copyFileSync(path, draft));
      replaceFile(reservePathOf(path), (draft) =>
        writeFileSync(draft, Buffer.alloc(2 * Math.max(megabyte, size)), { mode: 0o600 }),
      );
    } catch (cause) {
      throw new CastellanError(
        isPermissionDenied(cause) ? 'CAS8207' : 'CAS2106',
        `${path} can't be kept for the run: ${(cause as Error).message}. Nothing was changed`,
        { cause },
      );
    }
  }

  /** Takes the state that Terraform printed because it could not write it. */
  onEmergencyState(text: string): void {
    this.#printedState = text;
  }

  /** Called after every run: restores an incomplete state. */
  restoreIfIncomplete(): StateOutcome {
    const { path } = this;
    if (path === undefined) return 'intact';
    rmSync(reservePathOf(path), { force: true });
    const outcome = this.#repair(path);
    rmSync(backupPathOf(path), { force: true });
    return outcome;
  }

  /** Called before the state is read: restores it after a killed run or a power failure. */
  async repair(): Promise<StateOutcome> {
    const { path } = this;
    if (path === undefined) return 'intact';
    for (
      const deadline = Date.now() + writeWait.timeout;
      this.#isIncomplete(path) && Date.now() < deadline;
    )
      await wait(writeWait.interval);
    return this.#isIncomplete(path) ? this.restoreIfIncomplete() : 'intact';
  }

  /** Whether a run ended without writing its state completely. */
  #isIncomplete(path: string): boolean {
    const [state, emergency] = [readStateVersion(path), readStateVersion(this.#emergencyState)];
    if (isVersion(state))
      return (
        isVersion(emergency) &&
        emergency.lineage === state.lineage &&
        emergency.serial > state.serial
      );
    // A first run starts with an empty state: only an incomplete text shows that a run did not end.
    const isPartial =
      state === 'broken' && existsSync(reservePathOf(path)) && statSync(path).size > 0;
    return isVersion(emergency) || isVersion(readStateVersion(backupPathOf(path))) || isPartial;
  }

  #repair(path: string): StateOutcome {
    const state = readStateVersion(path);
    const printed = this.#printedState;
    if (printed !== undefined && isNewer(stateVersionOf(printed), state)) {
      replaceFile(path, (draft) => writeFileSync(draft, printed, { mode: 0o600 }));
      rmSync(this.#emergencyState, { force: true }); // an incomplete copy
      return 'recovered';
    }
    if (isNewer(readStateVersion(this.#emergencyState), state)) {
      replaceFile(path, (draft) => copyFileSync(this.#emergencyState, draft));
      rmSync(this.#emergencyState);
      return 'recovered';
    }
    if (isVersion(state)) return 'intact';
    if (isVersion(readStateVersion(backupPathOf(path)))) {
      renameSync(backupPathOf(path), path);
      return 'restored';
    }
    if (state === 'absent' || statSync(path).size === 0) return 'intact';
    renameSync(path, `${path}.broken`);
    return 'lost';
  }
}

const backupPathOf = (path: string): string => `${path}.last-good`;
const reservePathOf = (path: string): string => `${path}.reserve`;

function isVersion(version: StateVersion | 'absent' | 'broken'): version is StateVersion {
  return typeof version === 'object';
}

/** Whether a state that Terraform stored elsewhere is newer than the one in place. */
function isNewer(
  copy: StateVersion | 'absent' | 'broken',
  state: StateVersion | 'absent' | 'broken',
): boolean {
  if (!isVersion(copy)) return false;
  return !isVersion(state) || (copy.lineage === state.lineage && copy.serial >= state.serial);
}
