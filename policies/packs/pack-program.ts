import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { isObject } from '../../core/values/is-object.js';
import type { PackPermission } from '../../kinds/policy/schema.js';
import { memoryLimits, type PackAnswer, type PackInput, type PackStart } from './protocol.js';
import { packageFolder, type PackFiles } from './pack-files.js';

/** A process that runs the rules of a pack; it cannot stop the check. */
export class PackProgram {
  readonly #process: ChildProcess;
  #resolveAnswer: ((answer: PackAnswer) => void) | undefined;
  /** The awaited answer: stacks are checked one after the other. */
  #lastAnswer: Promise<unknown> = Promise.resolve();
  /** Why there will be no more answers. */
  #endReason: string | undefined;

  /** @param readable the pack's files, the only ones that its program may read. */
  constructor(start: PackStart, readable: PackFiles) {
    this.#process = startChild(start.pack.allow ?? [], readable);
    // Output of rules goes to stderr; on stdout it would become part of a report.
    this.#process.stdout?.on('data', (bytes: Buffer) => process.stderr.write(bytes));
    this.#process.stderr?.on('data', (text: Buffer) =>
      process.stderr.write(withoutCrashReports(text.toString())),
    );
    this.#process.on('message', (message) => this.#receive(message));
    this.#process.on('error', (error) =>
      this.#end(`the rules could not be started: ${error.message}`),
    );
    this.#process.on('exit', (code, signal) => this.#end(exitReason(code, signal)));
    this.#send(start);
  }

  /** Waits for the answer after loading, for a time in milliseconds. */
  load(limitMs: number): Promise<PackAnswer> {
    return this.#awaitAnswer(limitMs);
  }

  /**
   * Checks a stack within a time in milliseconds. A time-out or the end of the program is a
   * failure, never an exception.
   */
  check(input: PackInput, limitMs: number): Promise<PackAnswer> {
    const answer = this.#lastAnswer.then(() => {
      const nextAnswer = this.#awaitAnswer(limitMs);
      this.#send(input);
      return nextAnswer;
    });
    this.#lastAnswer = answer;
    return answer;
  }

  close(): void {
    this.#endReason ??= 'the check is over';
    this.#process.kill('SIGKILL');
  }

  #receive(message: unknown): void {
    if (!isAnswer(message)) this.#end('the rules gave an answer that is none');
    else if ('failure' in message) this.#end(message.failure);
    else this.#resolveAnswer?.(message);
  }

  #awaitAnswer(limitMs: number): Promise<PackAnswer> {
    if (this.#endReason !== undefined) return Promise.resolve({ failure: this.#endReason });
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#end(`the rules did not finish within ${String(limitMs / 1000)} s`);
        this.#process.kill('SIGKILL');
      }, limitMs);
      this.#resolveAnswer = (answer) => {
        clearTimeout(timer);
        this.#resolveAnswer = undefined;
        done(answer);
      };
    });
  }

  #end(reason: string): void {
    this.#endReason ??= reason;
    this.#resolveAnswer?.({ failure: this.#endReason });
  }

  #send(message: PackStart | PackInput): void {
    if (this.#process.connected)
      this.#process.send(message, (error) =>
        error === null ? undefined : this.#end(`the rules could not be asked: ${error.message}`),
      );
  }
}

/** Whether a message came from the program, not from a rule that found a way to send one. */
function isAnswer(message: unknown): message is PackAnswer {
  if (!isObject(message)) return false;
  const { failure, rules, findings, failures } = message;
  if (findings === undefined)
    return typeof failure === 'string' || (Array.isArray(rules) && rules.every(isObject));
  const isFinding = (each: unknown): boolean =>
    isObject(each) &&
    [each['ruleId'], each['message'], each['fingerprint'], each['verdict']].every(
      (text) => typeof text === 'string',
    );
  return (
    Array.isArray(findings) &&
    findings.every(isFinding) &&
    Array.isArray(failures) &&
    failures.every((text) => typeof text === 'string')
  );
}

/** 128 + SIGABRT (6): the exit code of Node when it runs out of memory. */
const abortExitCode = 134;

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null && code !== abortExitCode)
    return `the rules ended the program with ${String(code)}`;
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === abortExitCode)
    return `the rules took more than ${String(memoryLimits.all)} MiB of memory, or were killed (${signal ?? 'SIGABRT'})`;
  return `the rules were ended by ${String(signal)}`;
}

/**
 * Starts the program with Node's permission model: it can read its own code and the pack's, and
 * only use what the policy grants. Its one thread ends it when it uses too much memory.
 */
function startChild(
  grantedPermissions: readonly PackPermission[],
  readable: PackFiles,
): ChildProcess {
  // beside this file in a bundle, in the built command line, or else the source
  const bundledPaths = ['pack-main.js', '../../cli/pack-main.js'].map((path) =>
    join(__dirname, path),
  );
  const entry = bundledPaths.find((path) => existsSync(path)) ?? join(__dirname, '../pack-main.ts');
  const program = extname(entry) === '.ts' ? compile(entry) : entry;
  const flags = [
    `--max-old-space-size=${String(memoryLimits.heap)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    // a pack that changes Array.prototype would affect the code that reports its failures
    '--frozen-intrinsics',
  ];
  const permissionFlags = grantedPermissions.includes('fileSystem')
    ? ['--allow-fs-read=*', '--allow-fs-write=*']
    : withoutNestedPaths(
        [...ownCodeFolders(program), ...readable.packageFolders, ...(readable.links ?? [])],
        readable.files,
      ).map((path) => `--allow-fs-read=${path}`);
  if (grantedPermissions.includes('childProcesses')) permissionFlags.push('--allow-child-process');
  if (grantedPermissions.includes('network') && isFlag('--allow-net'))
    permissionFlags.push('--allow-net');
  const permissionFlag = isFlag('--permission') ? '--permission' : '--experimental-permission';
  return spawn(
    process.execPath,
    [...flags, permissionFlag, '--allow-worker', ...permissionFlags, program],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: grantedPermissions.includes('environment') ? process.env : {},
    },
  );
}

function isFlag(name: string): boolean {
  return process.allowedNodeEnvironmentFlags.has(name);
}

/**
 * The folders of the program's code: this package, and its dependencies, wherever they are
 * installed.
 */
function ownCodeFolders(program: string): readonly string[] {
  const folders = createRequire(program).resolve.paths('castellan') ?? [];
  return [packageFolder(program), ...folders]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, realpathSync(folder)]);
}

/** Removes folders and files within others: Node 20 exits when a path is given twice. */
function withoutNestedPaths(
  folders: readonly string[],
  files: readonly string[],
): readonly string[] {
  const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`);
  const outerFolders = [...new Set(folders)].filter(
    (folder, _, all) => !all.some((other) => isIn(folder, other)),
  );
  const otherFiles = [...new Set(files.flatMap((file) => [file, realpathSync(file)]))].filter(
    (file) => !outerFolders.some((folder) => isIn(file, folder)),
  );
  return [...outerFolders.map((folder) => `${folder}${sep}*`), ...otherFiles];
}

/** The output of rules, without Node's crash reports: a finding reports how the program ended. */
function withoutCrashReports(text: string): string {
  const end = text.search(/^\s*(<--- Last few GCs --->|#\s*\n# Fatal error|FATAL ERROR:)/m);
  return (end === -1 ? text : text.slice(0, end))
    .split('\n')
    .filter((line) => !/^\s+at (\S+ )*\(?(node:|file:|\/|[A-Z]:\\).*:\d+:\d+\)?$/.test(line))
    .join('\n');
}

/** Not bundled: `rego-policy.ts` replaces a builtin in the package's own files. */
const regoPackage = '@open-policy-agent/opa-wasm';
let compiledProgram: string | undefined;

/**
 * Run from the sources (tests, ts-node), the program is compiled first, to a place from which it
 * finds its packages.
 */
function compile(entry: string): string {
  if (compiledProgram !== undefined) return compiledProgram;
  const requireFromEntry = createRequire(entry);
  const esbuild = requireFromEntry.resolve('esbuild/bin/esbuild');
  const folder = join(
    dirname(requireFromEntry.resolve('esbuild/package.json')),
    '../.cache/castellan-packs',
  );
  const text = execFileSync(
    esbuild,
    [entry, '--bundle', '--platform=node', `--external:${regoPackage}`, '--log-level=error'],
    {
      maxBuffer: 64 * 1024 * 1024, // bytes
    },
  );
  compiledProgram = join(
    folder,
    `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`,
  );
  mkdirSync(folder, { recursive: true });
  // another process may start the same file at this moment: it never sees half of it
  const unfinishedFile = `${compiledProgram}.${String(process.pid)}`;
  writeFileSync(unfinishedFile, text);
  renameSync(unfinishedFile, compiledProgram);
  return compiledProgram;
}
