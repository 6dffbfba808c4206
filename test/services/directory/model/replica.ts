import type { TestDirectory } from '../support/directory.js';

interface Reference {
  readonly id: string;
  readonly '@removed'?: unknown;
}

/** A copy of the groups that a client keeps by delta queries alone. */
export class Replica {
  readonly groups = new Map<string, { name: string; members: Set<string>; owners: Set<string> }>();
  #link = '/groups/delta';

  constructor(private readonly directory: TestDirectory) {}

  /** Reads one round and applies it. */
  async sync(): Promise<void> {
    for (
      let next: string | undefined = this.#link, pages = 0;
      next !== undefined && pages < 1000;
      pages++
    ) {
      const { body, status, text } = await this.directory.get(next);
      if (status !== 200) throw new Error(`delta failed: ${text}`);
      for (const entry of body.value) this.#apply(entry);
      if (body['@odata.deltaLink']) this.#link = body['@odata.deltaLink'];
      next = body['@odata.nextLink'];
    }
  }

  #apply(entry: Record<string, unknown> & { id: string }): void {
    if (entry['@removed']) return void this.groups.delete(entry.id);
    const group = this.groups.get(entry.id) ?? {
      name: '',
      members: new Set<string>(),
      owners: new Set<string>(),
    };
    this.groups.set(entry.id, group);
    if (typeof entry['displayName'] === 'string') group.name = entry['displayName'];
    for (const [name, set] of [
      ['members@delta', group.members],
      ['owners@delta', group.owners],
    ] as const)
      for (const reference of (entry[name] ?? []) as Reference[])
        if (reference['@removed']) set.delete(reference.id);
        else set.add(reference.id);
  }
}
