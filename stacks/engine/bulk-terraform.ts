import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { isAlive } from '../../core/process/is-alive.js';
import { makeFolder, replaceFile } from '../../core/source/replace-file.js';
import type { TerraformPlan } from './plan.js';
import { localStateOf, managedResources, readMark } from './state-file.js';
import { StateServer } from './state-server.js';
import { Terraform, type TerraformOptions } from './terraform.js';
import { parseEvent, type TerraformEvent } from './terraform-event.js';

/** The number of changes from which a stack is applied in bulk; fewer take no longer without. */
const manyChanges = 150;

/** Whether a bulk run is faster for this number of changes. */
export function isBulk(changes: number): boolean {
  return changes >= manyChanges;
}

/**
 * Terraform for a stack with many changes.
 *
 * With its `local` backend Terraform writes the whole state after each resource, so the time of an
 * apply grows with the square of the number of resources: 1,000 groups take 44 s, 35 of them for
 * writing states. Here it runs in a folder of its own with an `http` backend served by this
 * process, which saves the state every 20 s and at the end: 1,000 groups take 14 s. Its events are
 * logged to a file, so that `recover` can add to the state what a killed run created and did not
 * save. This requires providers that adopt resources created by a killed run instead of creating
 * them again, as those of the sandbox do.
 */
export class BulkTerraform {
  readonly #folder: string;
  readonly #state: string;

  /** @param options those of the stack's own folder, whose backend is `local`. */
  constructor(private readonly options: TerraformOptions) {
    this.#folder = bulkFolder(options.directory);
    this.#state = stateOf(options.directory);
  }

  /** The expected number of created or deleted resources, from the declarations and the state. */
  static expectedChanges(directory: string, command: 'up' | 'down'): number {
    const state = localStateOf(directory);
    const existing = state === undefined ? 0 : managedResources(state).length;
    return command === 'down' ? existing : Math.abs(countDeclared(directory) - existing);
  }

  /** Whether a run of this stack was killed before it saved its state. */
  static wasCut(directory: string): boolean {
    return existsSync(eventsIn(bulkFolder(directory)));
  }

  /** `terraform plan` in the bulk folder. @throws CAS2103 with Terraform's diagnostics. */
  async plan(planFile: string, extra: readonly string[] = []): Promise<TerraformPlan> {
    rmSync(this.#folder, { recursive: true, force: true });
    makeFolder(this.#folder, 0o700);
    for (const name of readdirSync(this.options.directory).filter(
      (each) => !each.startsWith('.') && each !== 'bulk',
    ))
      cpSync(join(this.options.directory, name), join(this.#folder, name), { recursive: true });
    writeFileSync(
      join(this.#folder, 'cdk.tf.json'),
      withHttpBackend(join(this.options.directory, 'cdk.tf.json')),
      { mode: 0o600 },
    );
    return this.#serve(async (terraform) => {
      await terraform.init();
      return terraform.plan(planFile, extra);
    });
  }

  /** Applies the plan, and removes the bulk folder. @throws as `Terraform.apply` does. */
  async apply(planFile: string): Promise<void> {
    writeFileSync(eventsIn(this.#folder), '', { mode: 0o600 });
    try {
      await this.#serve((terraform) => terraform.apply(planFile));
    } finally {
      this.#takeErroredState();
      if (this.#unsaved().size === 0) rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /**
   * Adds to the state what a killed run created and did not save: runs for exactly these resources,
   * with the earlier configuration.
   *
   * @throws CAS2103 with Terraform's diagnostics; the notes of created resources are kept.
   */
  async recover(): Promise<void> {
    await this.#waitForItsEnd();
    this.#takeErroredState();
    const unsaved = this.#unsaved();
    if (unsaved.size > 0) {
      this.#report(
        `taking what a killed run created into the state: ${String(unsaved.size)} resources`,
      );
      await this.#serve(async (terraform) => {
        await terraform.init();
        await terraform.plan(
          recoveryPlan,
          [...unsaved].map((address) => `-target=${address}`),
        );
        await terraform.apply(recoveryPlan);
      });
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * A Terraform whose castellan was killed continues, and writes its state to its folder at the
   * end.
   */
  async #waitForItsEnd(): Promise<void> {
    const events = eventsIn(this.#folder);
    const [file, pid] = [
      `${events}.pid`,
      Number(existsSync(`${events}.pid`) ? readFileSync(`${events}.pid`, 'utf8') : 0),
    ];
    const isWorking = (): boolean =>
      pid > 0 && isAlive(pid) && Date.now() - statSync(events).mtimeMs < silence;
    if (isWorking())
      this.#report(`an earlier run is still working (process ${String(pid)}): waiting for it`);
    while (isWorking()) await wait(100);
    rmSync(file, { force: true });
  }

  #report(message: string): void {
    this.options.onEvent?.({ type: 'state_mended', '@message': message });
  }

  /**
   * Runs Terraform in the bulk folder while its state is served. @throws CAS2107 when the state
   * could not be saved.
   */
  async #serve<T>(work: (terraform: Terraform) => Promise<T>): Promise<T> {
    const { options } = this;
    const server = await StateServer.open(this.#state);
    const env = { ...options.env, ...server.env };
    const terraform = new Terraform({
      ...options,
      directory: this.#folder,
      env,
      eventsFile: eventsIn(this.#folder),
    });
    const [result] = await Promise.allSettled([work(terraform)]);
    await server.close();
    if (server.failure !== undefined) throw unsavedState(this.#state, server.failure, result);
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  /** The state that Terraform wrote into its folder because it could not send it. */
  #takeErroredState(): void {
    const file = join(this.#folder, 'errored.tfstate');
    const [errored, state] = [readMark(file), readMark(this.#state)];
    if (typeof errored === 'string') return;
    if (
      typeof state !== 'string' &&
      (state.lineage !== errored.lineage || state.serial >= errored.serial)
    )
      return;
    replaceFile(this.#state, (draft) => writeFileSync(draft, readFileSync(file), { mode: 0o600 }));
  }

  /**
   * The addresses of resources that were created, or were being created, and are not in the state.
   */
  #unsaved(): ReadonlySet<string> {
    const unsaved = new Map<string, string | undefined>();
    for (const { type, hook } of readEvents(eventsIn(this.#folder))) {
      const address = hook?.resource?.addr;
      if (address === undefined || hook?.action !== 'create') continue;
      if (type === 'apply_errored') unsaved.delete(address);
      else unsaved.set(address, hook.id_value);
    }
    for (const { type, name, instances } of managedResources(this.#state)) {
      const address = `${type}.${name}`;
      const id = unsaved.get(address);
      if (id === undefined || instances.some(({ attributes }) => attributes?.id === id))
        unsaved.delete(address);
    }
    return new Set(unsaved.keys());
  }
}

const recoveryPlan = 'recovery.tfplan';
const bulkFolder = (directory: string): string => join(directory, 'bulk');
const eventsIn = (folder: string): string => join(folder, 'events.jsonl');
/**
 * How long Terraform may report nothing before it counts as ended, in milliseconds: it reports each
 * resource every 10 s.
 */
const silence = 60_000;

function stateOf(directory: string): string {
  const state = localStateOf(directory);
  if (state === undefined) throw new Error(`${directory} has no state file`);
  return state;
}

function withHttpBackend(file: string): string {
  const configuration = JSON.parse(readFileSync(file, 'utf8')) as { readonly terraform?: object };
  return JSON.stringify({
    ...configuration,
    terraform: { ...configuration.terraform, backend: { http: {} } },
  });
}

function countDeclared(directory: string): number {
  const { resource = {} } = JSON.parse(readFileSync(join(directory, 'cdk.tf.json'), 'utf8')) as {
    readonly resource?: Readonly<Record<string, object>>;
  };
  return Object.values(resource).reduce((sum, ofType) => sum + Object.keys(ofType).length, 0);
}

function readEvents(file: string): readonly TerraformEvent[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.flatMap((line) => parseEvent(line) ?? []);
}

/** @param run the exit of the run itself. */
function unsavedState(
  path: string,
  cause: Error,
  run: PromiseSettledResult<unknown>,
): CastellanError {
  const words =
    run.status === 'rejected' && run.reason instanceof Error ? [run.reason.message] : [];
  const rest =
    'What the run created is taken into the state by the next `castellan up` or `castellan down`';
  return new CastellanError(
    'CAS2107',
    [`${path} was not saved: ${cause.message}. ${rest}`, ...words].join('\n'),
    { cause },
  );
}
