/** An entry as its row holds it. */
interface Row {
  readonly value: string;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

/** Stands for a row that the file doesn't have. */
const absentRow: Row = { value: '', expires_at: -Infinity };

const maxEntries = 20_000;
const maxCharacters = 16 * 1024 * 1024;

/**
 * Recent reads of an SQLite file, valid until another connection writes to it. SQLite counts the
 * writes of other connections. The counter is read once per turn of the event loop, before the
 * first answer: a request that arrived after another process's completed write cannot get an
 * earlier answer, and a loaded process reads it once for many requests.
 */
export class SqliteReadCache {
  private readonly rows = new Map<string, Row>();
  private characters = 0;
  private lastVersion = -1;
  private isVersionChecked = false;

  /**
   * @param readVersion reads a number that changes when another connection writes.
   * @param selectRow reads a row of the file.
   */
  constructor(
    private readonly readVersion: () => number,
    private readonly selectRow: (key: string) => Row | undefined,
  ) {}

  /** The values of the keys, in their order. @param time seconds since 1970 */
  read(keys: readonly string[], time: number): readonly (string | undefined)[] {
    if (!this.isVersionChecked) {
      const version = this.readVersion();
      if (version !== this.lastVersion) this.clear();
      this.lastVersion = version;
      this.isVersionChecked = true;
      setImmediate(() => (this.isVersionChecked = false));
    }
    return keys.map((key) => {
      const row = this.rows.get(key) ?? this.load(key);
      return row.expires_at > time ? row.value : undefined;
    });
  }

  /** Forgets a key that this process writes. */
  forget(key: string): void {
    const row = this.rows.get(key);
    if (row === undefined) return;
    this.characters -= charactersOf(key, row);
    this.rows.delete(key);
  }

  private load(key: string): Row {
    const row = this.selectRow(key) ?? absentRow;
    if (this.rows.size >= maxEntries || this.characters >= maxCharacters) this.clear();
    this.rows.set(key, row);
    this.characters += charactersOf(key, row);
    return row;
  }

  private clear(): void {
    this.rows.clear();
    this.characters = 0;
  }
}

function charactersOf(key: string, row: Row): number {
  return key.length + row.value.length;
}
