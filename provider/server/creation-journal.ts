import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A creation that no state is known to hold yet. */
export interface OpenCreation {
  readonly key: string;
  readonly typeName: string;
  /** When it was begun, ISO 8601. */
  readonly begunAt: string;
  /** What tells the made object apart, never a secret; absent where the creation was under way when the process ended. */
  readonly made?: Readonly<Record<string, string>>;
}

/**
 * Remembers what was created until a state has been seen to hold it, so that an apply that was killed half-way is taken up again by the
 * next one instead of making everything twice. One small file for each open creation; secrets are never in it.
 */
export class CreationJournal {
  readonly #open = new Map<string, OpenCreation>();

  /** @param folder made where it is missing. */
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const entry = JSON.parse(readFileSync(join(folder, file), 'utf8')) as OpenCreation;
      this.#open.set(entry.key, entry);
    }
  }

  /** The open creation of this key, from a run that was killed. */
  find(key: string): OpenCreation | undefined {
    return this.#open.get(key);
  }

  /** Notes that a creation is about to be asked for. */
  begin(key: string, typeName: string, now: Date): void {
    this.#write({ key, typeName, begunAt: now.toISOString() });
  }

  /** Notes what was made, before the answer goes to Terraform. */
  made(key: string, typeName: string, made: Readonly<Record<string, string>>, now: Date): void {
    this.#write({ key, typeName, begunAt: this.#open.get(key)?.begunAt ?? now.toISOString(), made });
  }

  /** Closes a creation: it was refused, or has been seen in a state. */
  close(key: string): void {
    if (this.#open.delete(key)) rmSync(this.#file(key), { force: true });
  }

  /** Closes the creation of an object that Terraform's state holds. */
  seen(typeName: string, id: unknown): void {
    if (this.#open.size === 0 || typeof id !== 'string') return;
    for (const { key, typeName: type, made } of this.#open.values()) if (type === typeName && made?.['id'] === id) this.close(key);
  }

  #write(entry: OpenCreation): void {
    const file = this.#file(entry.key);
    const draft = `${file}.part`;
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 });
    renameSync(draft, file);
    this.#open.set(entry.key, entry);
  }

  #file(key: string): string {
    return join(this.folder, `${key}.json`);
  }
}

/** The key of a creation: the same for the same type with the same planned values, which are hashed and can't be read from it. */
export function creationKey(typeName: string, planned: Uint8Array): string {
  return createHash('sha256').update(typeName).update('\0').update(planned).digest('hex').slice(0, 32);
}
