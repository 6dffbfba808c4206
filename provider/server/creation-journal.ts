import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive } from '../../core/process/is-alive.js';
import { makeFolder } from '../../core/source/replace-file.js';

/** A creation that no state is known to hold yet. */
export interface OpenCreation {
  readonly key: string;
  readonly typeName: string;
  /** When it was started, ISO 8601. */
  readonly begunAt: string;
  /** What distinguishes the created object, never a secret; absent where the creation was under way when the process ended. */
  readonly made?: Readonly<Record<string, string>>;
}

/**
 * Remembers what was created until a state has been seen to hold it, so that an apply that was killed half-way is taken up again by the
 * next one instead of making everything twice. One small file for each open creation: a line when it begins, another when it is made;
 * secrets are never in it. The disk is not waited for one after the other: Terraform asks for ten creations at once.
 */
export class CreationJournal {
  readonly #open = new Map<string, OpenCreation>();
  /** What was open when Terraform's present run began: only that was left behind by another run. */
  #unfinished = new Set<string>();
  #count = 0;
  #adoption: Adoption | undefined;

  /** @param folder made where it is missing. */
  constructor(private readonly folder: string) {
    makeFolder(folder, 0o700);
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const creation = lastWhole(readFileSync(join(folder, file), 'utf8'));
      // cut off at its start: no request was sent to the service
      if (creation !== undefined) this.#open.set(file.slice(0, -'.json'.length), creation);
    }
    this.newRun();
  }

  /** Terraform begins a run: what is open now was left behind by one that was killed, or is about to be seen. */
  newRun(): void {
    const files = new Set(readdirSync(this.folder));
    for (const id of this.#open.keys()) if (!files.has(`${id}.json`)) this.#open.delete(id); // a state holds it
    this.#unfinished = new Set(this.#open.keys());
    this.#adoption = readAdoption(dirname(this.folder));
  }

  /** Set while resources that exist already are to be taken into the state instead of being created. */
  get adoption(): Adoption | undefined {
    return this.#adoption;
  }

  /** Takes out the creation of this key that a killed run left behind; each is taken up once. */
  takeUp(key: string): { readonly id: string; readonly creation: OpenCreation } | undefined {
    for (const id of this.#unfinished) {
      const creation = this.#open.get(id);
      if (creation?.key !== key) continue;
      this.#unfinished.delete(id);
      if (!existsSync(this.#file(id))) continue; // a state has been seen to hold it meanwhile
      return { id, creation };
    }
    return undefined;
  }

  /** Notes that a creation is about to be asked for. @returns the id to note the rest with. */
  async begin(key: string, typeName: string, now: Date): Promise<string> {
    const id = `${key}-${now.getTime().toString(36)}-${(this.#count++).toString(36)}`;
    try {
      await this.#write(id, { key, typeName, begunAt: now.toISOString() });
    } catch (error) {
      await rm(this.#file(id), { force: true });
      throw error;
    }
    return id;
  }

  /**
   * Notes what was made, before the answer goes to Terraform. A note that the disk has no room for is kept in memory only: what was made is
   * in Terraform's state with the answer, and an error in its place would lose every record of it.
   */
  async noteIdentity(id: string, made: Readonly<Record<string, string>>): Promise<void> {
    const creation = this.#open.get(id);
    if (creation === undefined) return;
    try {
      await this.#write(id, { ...creation, made });
    } catch {
      this.#open.set(id, { ...creation, made }); // the start stays noted on the disk: a later run finds the object by it
    }
  }

  /** Closes a creation: it was refused, or has been seen in a state. */
  async close(id: string): Promise<void> {
    this.#unfinished.delete(id);
    if (this.#open.delete(id)) await rm(this.#file(id), { force: true });
  }

  /** Closes the creation of an object that Terraform's state holds. */
  async forget(typeName: string, objectId: unknown): Promise<void> {
    if (this.#open.size === 0 || typeof objectId !== 'string') return;
    for (const [id, { typeName: type, made }] of this.#open) if (type === typeName && made?.['id'] === objectId) await this.close(id);
  }

  async #write(id: string, entry: OpenCreation): Promise<void> {
    const file = await open(this.#file(id), 'a', 0o600);
    try {
      await file.writeFile(`\n${JSON.stringify(entry)}\n`); // a line of its own, also behind a note that was cut off
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#open.set(id, entry);
  }

  #file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** The last note of a file that was written to its end; undefined where there is none. */
function lastWhole(text: string): OpenCreation | undefined {
  for (const line of text.split('\n').reverse()) {
    try {
      return JSON.parse(line) as OpenCreation;
    } catch {
      continue; // the end of a file, or a note that a kill cut off: the note before it counts
    }
  }
  return undefined;
}

/**
 * Closes the creations of all providers whose objects a state holds, after the run that made them. Without it they would stay open until
 * the next plan of their stack, and another stack that plans an equal object would take up this one.
 *
 * @param folder the folder of their journals.
 * @param ids of all objects in the state.
 */
export async function closeCreations(folder: string, ids: ReadonlySet<string>): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch(() => []); // nothing was created yet
  const notes = files.filter((name) => name.endsWith('.json') && name !== adoptionFile).map((name) => join(folder, name));
  await Promise.all(
    notes.map(async (file) => {
      const id = lastWhole(await readFile(file, 'utf8').catch(() => ''))?.made?.['id'];
      if (id !== undefined && ids.has(id)) await rm(file, { force: true });
    }),
  );
}

/** What the creations of a process may take up although others made it: everything that exists, as it is. */
export interface Adoption {
  /** The process that adopts: nothing is adopted when it has ended. */
  readonly pid: number;
  /** What services return only once, by the id that Terraform's state has: `{ '…/password/…': { value: '…' } }`. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What happens to what doesn't exist. */
  readonly missing: 'created' | 'refused';
}

const adoptionFile = 'adoption.json';

/** Has the creations of all providers take up what exists, until the work has ended. @param folder the folder of their journals. */
export async function adopting<T>(folder: string, how: Omit<Adoption, 'pid'>, work: () => Promise<T>): Promise<T> {
  const file = join(folder, adoptionFile);
  makeFolder(folder, 0o700);
  writeFileSync(file, JSON.stringify({ pid: process.pid, ...how } satisfies Adoption), { mode: 0o600 });
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
 * The key of a creation: the same for the same type with the same planned values, which are hashed and can't be read from it.
 *
 * @param planned without secrets: after a killed run a new password is made, and what it was planned for is still the same object.
 */
export function creationKey(typeName: string, planned: Uint8Array): string {
  return createHash('sha256').update(typeName).update('\0').update(planned).digest('hex').slice(0, 32);
}
