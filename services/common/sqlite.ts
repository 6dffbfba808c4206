import { Worker } from 'node:worker_threads';
import { CastellanError } from '../../core/errors/castellan-error.js';

type Value = string | number | bigint | null | Uint8Array;

/** A compiled SQLite statement. Parameters are in the order of its question marks. */
export interface SqliteStatement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  all(values?: readonly unknown[]): unknown[];
  /** The first row; undefined if there is none. */
  get(values?: readonly unknown[]): unknown;
  iterate(values?: readonly unknown[]): IterableIterator<unknown>;
  run(values?: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/**
 * An open SQLite file: Node's own engine if Node has one (22.13 and later), otherwise
 * better-sqlite3.
 */
export interface Sqlite {
  /** The file, or `:memory:`. */
  readonly path: string;
  readonly isOpen: boolean;
  prepare(statement: string): SqliteStatement;
  /** Runs statements without parameters, such as pragmas. */
  exec(statements: string): void;
  /** Adds a deterministic function of one argument to SQL. */
  define(name: string, compute: (value: unknown) => unknown): void;
  /** Runs the body in a transaction, rolled back when it throws. */
  transaction(work: () => void): void;
  close(): void;
}

/** The common interface of both engines. */
interface Engine {
  prepare(statement: string): EngineStatement;
  exec(statements: string): unknown;
  function(
    name: string,
    options: { deterministic: boolean },
    compute: (value: unknown) => unknown,
  ): unknown;
  close(): unknown;
}

interface EngineStatement {
  /** Whether it returns rows; only better-sqlite3 tells. */
  readonly reader?: boolean;
  /** node:sqlite from 22.16 on names the columns. */
  columns?(): readonly unknown[];
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
  iterate(...values: Value[]): IterableIterator<unknown>;
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

type EngineClass = new (path: string) => Engine;

const returnsRows = /^\s*(select|with|values|pragma|explain)\b|\breturning\b/i;

/**
 * Opens an SQLite file, which is created if missing.
 *
 * @param path the file, or `:memory:`.
 * @throws CAS4005 when this version of Node has no SQLite and better-sqlite3 is missing or built
 *   for another version.
 */
export function openSqlite(path: string): Sqlite {
  const engine = openEngine(path);
  let open = true;
  return {
    path,
    get isOpen() {
      return open;
    },
    prepare: (statement) => adaptStatement(engine.prepare(statement), statement),
    exec: (statements) => void engine.exec(statements),
    define: (name, compute) => void engine.function(name, { deterministic: true }, compute),
    transaction: (work) => {
      engine.exec('begin');
      try {
        work();
        engine.exec('commit');
      } catch (error) {
        rollBack(() => engine.exec('rollback'));
        throw error;
      }
    },
    close: () => {
      if (open) engine.close();
      open = false;
    },
  };
}

/**
 * Rolls a transaction back. On a full disk SQLite has already done so; then the original failure is
 * reported.
 */
export function rollBack<T>(sendRollback: () => T): T | undefined {
  try {
    return sendRollback();
  } catch (error) {
    if (!/no transaction is active/.test((error as Error).message)) throw error;
    return undefined;
  }
}

function adaptStatement(statement: EngineStatement, text: string): SqliteStatement {
  const valuesOf = (values: readonly unknown[] = []): Value[] => values as Value[];
  return {
    reader:
      statement.reader ??
      (statement.columns === undefined ? returnsRows.test(text) : statement.columns().length > 0),
    all: (values) => statement.all(...valuesOf(values)),
    get: (values) => statement.get(...valuesOf(values)),
    iterate: (values) => statement.iterate(...valuesOf(values)),
    run: (values) => statement.run(...valuesOf(values)),
  };
}

const loadFailures: Readonly<Record<string, string>> = {
  ERR_DLOPEN_FAILED: 'was built for another version of Node or another machine',
  MODULE_NOT_FOUND: 'is not installed',
};

function openEngine(path: string): Engine {
  const NodeSqlite = nodeEngineClass();
  if (NodeSqlite !== undefined) return new NodeSqlite(path);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it may be missing, and opening is not asynchronous
    const BetterSqlite = require('better-sqlite3') as EngineClass;
    return new BetterSqlite(path);
  } catch (error) {
    const { code } = error as { code?: string };
    const unbuilt = /bindings file/.test((error as Error).message)
      ? 'was installed without being built'
      : undefined;
    const failure = unbuilt ?? loadFailures[code ?? ''];
    if (failure === undefined) throw error;
    throw new CastellanError(
      'CAS4005',
      `Node ${process.version} brings no SQLite, and better-sqlite3 ${failure}`,
      { cause: error },
    );
  }
}

/** For a worker thread, which cannot use this module: the path from which it loads the engine. */
export function engineModule(): { readonly module: string; readonly member?: string } {
  return nodeEngineClass() === undefined
    ? { module: require.resolve('better-sqlite3') }
    : { module: 'node:sqlite', member: 'DatabaseSync' };
}

/** Runs in a worker thread with its own connection, so that it blocks no request. */
const workerSource = `
const { workerData } = require('node:worker_threads');
process.removeAllListeners('warning'); // Node's own engine emits one at its first use
const { module: engine, member } = workerData.engine;
const Engine = member === undefined ? require(engine) : require(engine)[member];
const sqlite = new Engine(workerData.file);
sqlite.exec('pragma busy_timeout = 60000');
sqlite.exec(workerData.statement);
sqlite.close();
`;

/** Runs a statement on a SQLite file in the background: indexing a million rows takes seconds. */
export function executeInBackground(file: string, statement: string): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(workerSource, {
      eval: true,
      workerData: { engine: engineModule(), file, statement },
    });
    worker.once('error', fail);
    worker.once('exit', () => done());
  });
}

let detectedEngine: { readonly engine?: EngineClass } | undefined;

/**
 * The class of Node's own engine; undefined if there is none. Node warns that its interface may
 * change; users need not see that.
 */
function nodeEngineClass(): EngineClass | undefined {
  if (detectedEngine !== undefined) return detectedEngine.engine;
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!/\bSQLite\b/.test(String(warning)))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    const { getBuiltinModule } = process as {
      getBuiltinModule?: (name: string) => { DatabaseSync: EngineClass } | undefined;
    };
    const engine = getBuiltinModule?.('node:sqlite')?.DatabaseSync;
    // 22.5 to 22.12 have it behind a flag, and without custom functions.
    detectedEngine = engine === undefined || !('function' in engine.prototype) ? {} : { engine };
  } finally {
    process.emitWarning = emitWarning;
  }
  return detectedEngine.engine;
}

const errorCodes = {
  busy: { text: 'SQLITE_BUSY', number: 5 },
  unique: { text: 'SQLITE_CONSTRAINT_UNIQUE', number: 2067 },
  primaryKey: { text: 'SQLITE_CONSTRAINT_PRIMARYKEY', number: 1555 },
} as const;

/**
 * Whether an error of either engine means that the file is locked, or that a value exists already.
 */
export function isSqliteError(error: unknown, kind: keyof typeof errorCodes): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  const { text, number } = errorCodes[kind];
  return (
    (typeof code === 'string' && code.startsWith(text)) ||
    errcode === number ||
    ((errcode ?? 0) & 0xff) === number
  );
}
