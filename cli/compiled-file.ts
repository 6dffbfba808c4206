/**
 * Loads a bundle with the code that V8 compiled of it in an earlier run, or in the build: a check
 * of 50 lines and a synthesis of three groups then take 0.6 of their processor time. V8 itself
 * checks that the code fits its version; a file that cannot be read or written is ignored.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** A loaded bundle, and the function that stores its compiled code for the next run. */
export interface CompiledFile {
  readonly exports: unknown;
  /**
   * Writes the compiled code, if this run had none. Called when V8 has compiled everything that
   * such a run needs; only the first call counts.
   */
  readonly keep: () => void;
}

/** Parts that a bundle loads on demand: unusual YAML, and validators of all sections but groups. */
const partNames: readonly string[] = ['./fast-parse.js', './more-validators.js'];

/**
 * Loads a CommonJS file from this module's folder; `NODE_DISABLE_COMPILE_CACHE=1` turns compiled
 * code off, as for node itself.
 */
export function loadCompiled(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): CompiledFile {
  const cache = env['NODE_DISABLE_COMPILE_CACHE'] === undefined ? cacheOf(file, env) : undefined;
  const cachedData = cache === undefined ? undefined : (readOwn(cache) ?? readBuilt(file));
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  );
  const loaded = { exports: {} };
  const parts = new Map<string, CompiledFile>();
  const others = require;
  const load = Object.assign((name: string): unknown => {
    if (!partNames.includes(name)) return others(name);
    const part = parts.get(name) ?? loadCompiled(join(dirname(file), name), env);
    parts.set(name, part);
    return part.exports;
  }, others);
  (script.runInThisContext() as (...args: unknown[]) => void)(
    loaded.exports,
    load,
    loaded,
    file,
    dirname(file),
  );
  let isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  const keep = (): void => {
    if (cache !== undefined && !isKept) write(cache, script.createCachedData());
    isKept = true;
    for (const part of parts.values()) part.keep();
  };
  return { exports: loaded.exports, keep };
}

/** The code that the build compiled, for its version of node. */
function readBuilt(file: string): Buffer | undefined {
  const bundle = builtCodeOf(file);
  return existsSync(bundle) ? readFileSync(bundle) : undefined;
}

/** The file with the build's compiled code. */
function builtCodeOf(file: string): string {
  return file.replace(/\.js$/, `.${process.version}-${process.arch}.v8`);
}

/** The file for compiled code: its name depends on the bundle and on node. */
function cacheOf(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    const folder = join(
      env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache'),
      'castellan',
    );
    const version = `${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}`;
    return join(folder, `${basename(file, '.js')}-${numberOf(dirname(file))}.${version}.v8`);
  } catch {
    return undefined; // no home folder: nothing is stored
  }
}

/** A number for a folder, so that two installations do not keep replacing each other's code. */
function numberOf(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return (hash >>> 0).toString(36);
}

/** Reads a file that only this user can have written, since compiled code is executed. */
function readOwn(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, mode } = statSync(path);
  const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  return isOwn ? readFileSync(path) : undefined;
}

/** Writes the code of this file and deletes that of earlier versions. */
function write(path: string, code: Buffer): void {
  const folder = dirname(path);
  const [own] = basename(path).split('.') as [string];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const other of readdirSync(folder))
      if (other.startsWith(`${own}.`)) rmSync(join(folder, other));
    const whole = `${path}.${process.pid}`;
    writeFileSync(whole, code, { mode: 0o600 });
    renameSync(whole, path);
  } catch {
    // a read-only folder, or another run that writes at the same time: the next run is as fast as
    // this one
  }
}
