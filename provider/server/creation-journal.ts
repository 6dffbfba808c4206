import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive } from '../../core/process/is-alive.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { makeFolder } from '../../core/source/make-folder.js';
import type { TerraformRun } from '../terraform-runs.js';
import { isInStateFile, localStateFiles } from './local-state.js';

/** A creation that is not known to be in a state yet. */
export interface OpenCreation {
  /** The same for the same type with the same planned values; see {@link creationKey}. */
  readonly key: string;
  readonly typeName: string;
  /** When it was started, ISO 8601. */
  readonly begunAt: string;
  /**
   * The folders of the terraform processes that may have requested it. Absent where the system does
   * not tell them, and in records of earlier versions.
   */
  readonly folders?: readonly string[];
  /**
   * The identifying values of the created object, never a secret; absent if the creation was
   * running when the process ended.
   */
  readonly identity?: Readonly<Record<string, string>>;
}

/**
 * Records created objects until a state is known to contain them, so that the next apply continues
 * a killed one instead of creating everything twice. Each open creation has a small file: a line
 * when it starts, another when it is done; never with secrets. Each has a file of its own, so that
 * the ten creations that Terraform requests at once do not wait for each other's writes.
 */
export class CreationJournal {
  readonly #open = new Map<string, OpenCreation>();
  /** The processes that may have requested the creations begun by this journal, by their ids. */
  readonly #callers = new Map<string, readonly number[]>();
  /**
   * The creations that were open when Terraform's current run started: only these were left by
   * another run.
   */
  #unfinished = new Set<string>();
  /** The ids of all objects that recorded creations have created. */
  readonly #createdObjectIds = new Set<string>();
  /** The ids of the objects that resources of Terraform's current run have adopted. */
  readonly #adopted = new Set<string>();
  #count = 0;
  #adoption: Adoption | undefined;
  #runs: Promise<readonly TerraformRun[]> | undefined;

  /**
   * @param folder created if missing.
   * @param findRuns the terraform processes that may be calling. @default none is known
   */
  constructor(
    private readonly folder: string,
    private readonly findRuns: () => Promise<readonly TerraformRun[]> = () => Promise.resolve([]),
  ) {
    makeFolder(folder, 0o700);
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const creation = lastCompleteRecord(readFileSync(join(folder, file), 'utf8'));
      // a record that was cut off while being written: no request was sent yet
      if (creation !== undefined) this.#setOpen(file.slice(0, -'.json'.length), creation);
    }
    this.startRun();
  }

  /**
   * Starts a run of Terraform: creations that are still open were left by a killed run, unless a
   * state turns out to contain them.
   */
  startRun(): void {
    const files = new Set(readdirSync(this.folder));
    // its file was removed: a state contains the object
    for (const id of this.#open.keys()) if (!files.has(`${id}.json`)) this.#open.delete(id);
    this.#unfinished = new Set(this.#open.keys());
    this.#adopted.clear();
    this.#adoption = readAdoption(dirname(this.folder));
    this.#runs = undefined;
  }

  /** Set while existing resources are to be adopted into the state instead of created. */
  get adoption(): Adoption | undefined {
    return this.#adoption;
  }

  /** Whether a recorded creation has created the object with an id: then no other one has. */
  hasCreated(id: string): boolean {
    return this.#createdObjectIds.has(id);
  }

  /** Whether a resource of the current run has adopted the object with an id. */
  isAdopted(id: string): boolean {
    return this.#adopted.has(id);
  }

  /** Adopts an object. @returns false if another resource of the current run has done so */
  adoptOnce(id: string): boolean {
    if (this.#adopted.has(id)) return false;
    this.#adopted.add(id);
    return true;
  }

  /**
   * Returns the creation with this key that a killed run of the same configuration left, and removes
   * it from the unfinished ones, so that it is adopted once.
   */
  async takeUnfinished(
    key: string,
  ): Promise<{ readonly id: string; readonly creation: OpenCreation } | undefined> {
    for (const id of this.#unfinished) {
      const creation = this.#open.get(id);
      if (creation?.key !== key) continue;
      if (!this.#isLeftByEarlierRun(id, creation, await this.#currentRuns())) continue;
      // another equal creation may have taken it meanwhile
      if (!this.#unfinished.delete(id)) continue;
      if (!existsSync(this.#file(id))) continue; // its file was removed: a state contains the object
      if (!(await isInLocalState(creation))) return { id, creation };
      await this.close(id);
    }
    return undefined;
  }

  /**
   * Whether an earlier run in the folder of the current one left a creation. Other folders have
   * other states, and a process that still runs completes its creations itself.
   */
  #isLeftByEarlierRun(
    id: string,
    { folders }: OpenCreation,
    currentRuns: readonly TerraformRun[],
  ): boolean {
    if (currentRuns.some(({ pid }) => this.#callers.get(id)?.includes(pid))) return false;
    if (folders === undefined || currentRuns.length === 0) return true;
    return currentRuns.some(({ folder }) => folders.includes(folder));
  }

  #currentRuns(): Promise<readonly TerraformRun[]> {
    return (this.#runs ??= this.findRuns());
  }

  /** Records that a creation is about to be requested. @returns the id for the next records */
  async begin(key: string, typeName: string, now: Date): Promise<string> {
    const id = `${key}-${now.getTime().toString(36)}-${(this.#count++).toString(36)}`;
    const runs = await this.#currentRuns();
    this.#callers.set(
      id,
      runs.map(({ pid }) => pid),
    );
    try {
      await this.#write(id, {
        key,
        typeName,
        begunAt: now.toISOString(),
        ...(runs.length > 0 && { folders: [...new Set(runs.map(({ folder }) => folder))] }),
      });
    } catch (error) {
      await rm(this.#file(id), { force: true });
      throw error;
    }
    return id;
  }

  /**
   * Records a created object before the answer to Terraform. If the disk has no space, the record
   * is kept in memory only: the answer puts the object into Terraform's state, and an error instead
   * would lose every record of it.
   */
  async recordIdentity(id: string, identity: Readonly<Record<string, string>>): Promise<void> {
    const creation = this.#open.get(id);
    if (creation === undefined) return;
    try {
      await this.#write(id, { ...creation, identity });
    } catch {
      // The start stays recorded on the disk: a later run finds the object by it
      this.#setOpen(id, { ...creation, identity });
    }
  }

  /** Closes a creation: it was refused, or its object is in a state. */
  async close(id: string): Promise<void> {
    this.#unfinished.delete(id);
    this.#callers.delete(id);
    if (this.#open.delete(id)) await rm(this.#file(id), { force: true });
  }

  /** Closes the creation of an object that is in Terraform's state. */
  async closeCreationOf(typeName: string, objectId: unknown): Promise<void> {
    if (this.#open.size === 0 || typeof objectId !== 'string') return;
    for (const [id, { typeName: type, identity }] of this.#open)
      if (type === typeName && identity?.['id'] === objectId) await this.close(id);
  }

  async #write(id: string, entry: OpenCreation): Promise<void> {
    const file = await open(this.#file(id), 'a', 0o600);
    try {
      // On a line of its own, also after a record that was cut off
      await file.writeFile(`\n${toRecord(entry)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#setOpen(id, entry);
  }

  #setOpen(id: string, creation: OpenCreation): void {
    this.#open.set(id, creation);
    const objectId = creation.identity?.['id'];
    if (objectId !== undefined) this.#createdObjectIds.add(objectId);
  }

  #file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** Whether a state file in the folder of the run that created an object contains it. */
async function isInLocalState({
  typeName,
  identity,
  folders = [],
}: OpenCreation): Promise<boolean> {
  const objectId = identity?.['id'];
  if (objectId === undefined) return false;
  for (const folder of folders)
    for (const file of await localStateFiles(folder))
      if (await isInStateFile(file, typeName, objectId)) return true;
  return false;
}

/** A creation as a line of its file, which has the identity as `made`. */
function toRecord({ identity, ...creation }: OpenCreation): string {
  return JSON.stringify({ ...creation, made: identity });
}

/** The last complete record in a file; undefined if there is none. */
function lastCompleteRecord(text: string): OpenCreation | undefined {
  for (const line of text.split('\n').reverse()) {
    try {
      const { made: identity, ...creation } = JSON.parse(line) as Omit<OpenCreation, 'identity'> & {
        readonly made?: OpenCreation['identity'];
      };
      return { ...creation, ...omitUndefined({ identity }) };
    } catch {
      continue; // the end of a file, or a record cut off by a kill: the one before it counts
    }
  }
  return undefined;
}

/**
 * Closes the creations of all providers whose objects are in a state, after the run that created
 * them. Otherwise they would stay open until the next plan of their stack, and another stack that
 * plans an equal object would adopt this one.
 *
 * @param folder the folder of their journals.
 * @param ids of all objects in the state.
 */
export async function closeCreations(folder: string, ids: ReadonlySet<string>): Promise<void> {
  // the folder is missing before the first creation
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const recordFiles = files
    .filter((name) => name.endsWith('.json') && name !== adoptionFile)
    .map((name) => join(folder, name));
  await Promise.all(
    recordFiles.map(async (file) => {
      const id = lastCompleteRecord(await readFile(file, 'utf8').catch(() => ''))?.identity?.['id'];
      if (id !== undefined && ids.has(id)) await rm(file, { force: true });
    }),
  );
}

/** Existing objects that the creations of a process may adopt unchanged. */
export interface Adoption {
  /** The adopting process: nothing is adopted after it has ended. */
  readonly pid: number;
  /**
   * Secrets that services return only once, by the id in Terraform's state:
   * `{ '…/password/…': { value: '…' } }`.
   */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What to do about objects that do not exist. */
  readonly missing: 'created' | 'refused';
}

const adoptionFile = 'adoption.json';

/**
 * Lets the creations of all providers adopt existing objects until the work has ended.
 *
 * @param folder the folder of their journals.
 */
export async function withAdoption<T>(
  folder: string,
  options: Omit<Adoption, 'pid'>,
  work: () => Promise<T>,
): Promise<T> {
  const file = join(folder, adoptionFile);
  makeFolder(folder, 0o700);
  writeFileSync(file, JSON.stringify({ pid: process.pid, ...options } satisfies Adoption), {
    mode: 0o600,
  });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function readAdoption(folder: string): Adoption | undefined {
  const file = join(folder, adoptionFile);
  if (!existsSync(file)) return undefined;
  const adoption = JSON.parse(readFileSync(file, 'utf8')) as Adoption;
  return isAlive(adoption.pid) ? adoption : undefined;
}

/**
 * The key of a creation: the same for the same type with the same planned values, which are hashed
 * and cannot be read from it.
 *
 * @param planned without secrets: a killed run's password is generated again, and its object is
 *   still the same.
 */
export function creationKey(typeName: string, planned: Uint8Array): string {
  return createHash('sha256')
    .update(typeName)
    .update('\0')
    .update(planned)
    .digest('hex')
    .slice(0, 32);
}
