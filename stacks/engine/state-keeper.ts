import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { replaceFile } from '../../core/source/replace-file.js';
import { localStateOf, markOf, readMark, type StateMark } from './state-file.js';

/**
 * The condition of a state after a run: `whole` as Terraform wrote it; `recovered` from what Terraform wrote or printed elsewhere;
 * `restored` as it was before the run; `lost` where there was none before.
 */
export type StateOutcome = 'whole' | 'recovered' | 'restored' | 'lost';

const megabyte = 1024 * 1024;
/** In milliseconds. A state that another run is writing at this moment is whole again within it. */
const writing = { for: 2000, every: 100 };

/**
 * Keeps a local state through a run that can't write it: Terraform writes it in place, and a disk that fills up meanwhile leaves half of
 * it. Before the run the state is copied beside itself (`….last-good`), and room for the next one is set aside (`….reserve`).
 */
export class StateKeeper {
  /** Absolute; undefined where nothing has to be done, for the state isn't local. */
  readonly path: string | undefined;
  readonly #errored: string;
  #printed: string | undefined;

  /** @param directory the folder that holds `cdk.tf.json`, in which Terraform runs. */
  constructor(directory: string) {
    this.path = localStateOf(directory);
    this.#errored = join(directory, 'errored.tfstate');
  }

  /** Before a run. @throws CAS2106 where there is no room for the copy and the reserve. */
  keep(): void {
    const { path } = this;
    if (path === undefined) return;
    rmSync(this.#errored, { force: true }); // left by an older run, and outdated by now
    const isMarked = isMark(readMark(path));
    const size = isMarked ? statSync(path).size : 0;
    try {
      if (isMarked) replaceFile(copyOf(path), (draft) => copyFileSync(path, draft));
      replaceFile(reserveOf(path), (draft) => writeFileSync(draft, Buffer.alloc(2 * Math.max(megabyte, size)), { mode: 0o600 }));
    } catch (cause) {
      throw new CastellanError('CAS2106', `${path} can't be kept for the run: ${(cause as Error).message}. Nothing was changed`, { cause });
    }
  }

  /** The state that Terraform printed because it could write it nowhere. */
  onOutput(text: string): void {
    this.#printed = text;
  }

  /** Called after every run: restores the state where it isn't complete. */
  settle(): StateOutcome {
    const { path } = this;
    if (path === undefined) return 'whole';
    rmSync(reserveOf(path), { force: true });
    const outcome = this.#mend(path);
    rmSync(copyOf(path), { force: true });
    return outcome;
  }

  /** Called before the state is read: restores it after a run that was killed or lost power. */
  async mend(): Promise<StateOutcome> {
    const { path } = this;
    if (path === undefined) return 'whole';
    for (const until = Date.now() + writing.for; this.#wasCut(path) && Date.now() < until;) await wait(writing.every);
    return this.#wasCut(path) ? this.settle() : 'whole';
  }

  /** Whether a run ended without writing its state completely. */
  #wasCut(path: string): boolean {
    const [state, errored] = [readMark(path), readMark(this.#errored)];
    if (isMark(state)) return isMark(errored) && errored.lineage === state.lineage && errored.serial > state.serial;
    // An empty state is what a first run begins with: only half a text shows that it didn't end.
    const half = state === 'broken' && existsSync(reserveOf(path)) && statSync(path).size > 0;
    return isMark(errored) || isMark(readMark(copyOf(path))) || half;
  }

  #mend(path: string): StateOutcome {
    const state = readMark(path);
    const output = this.#printed;
    if (output !== undefined && isNewer(markOf(output), state)) {
      replaceFile(path, (draft) => writeFileSync(draft, output, { mode: 0o600 }));
      rmSync(this.#errored, { force: true }); // a write of it that was cut off
      return 'recovered';
    }
    if (isNewer(readMark(this.#errored), state)) {
      replaceFile(path, (draft) => copyFileSync(this.#errored, draft));
      rmSync(this.#errored);
      return 'recovered';
    }
    if (isMark(state)) return 'whole';
    if (isMark(readMark(copyOf(path)))) {
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

function isMark(mark: StateMark | 'absent' | 'broken'): mark is StateMark {
  return typeof mark === 'object';
}

/** Whether a state that Terraform kept elsewhere goes before the one in its place. */
function isNewer(copy: StateMark | 'absent' | 'broken', state: StateMark | 'absent' | 'broken'): boolean {
  if (!isMark(copy)) return false;
  return !isMark(state) || (copy.lineage === state.lineage && copy.serial >= state.serial);
}
