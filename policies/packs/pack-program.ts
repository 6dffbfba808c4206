import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { PackAnswer, PackInput, PackStart } from './messages.js';
import { memoryLimits } from './pack-limits.js';

/** A program of its own that runs the rules of a pack: whatever they do, the check goes on. */
export class PackProgram {
  readonly #child: ChildProcess;
  #answered: ((answer: PackAnswer) => void) | undefined;
  /** The answer that is waited for: stacks are judged one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Why there will be no further answer. */
  #ended: string | undefined;

  constructor(start: PackStart) {
    this.#child = startChild();
    // The output of rules is for people; on stdout it would end up in a report.
    this.#child.stdout?.pipe(process.stderr, { end: false });
    this.#child.on('message', (message: PackAnswer) => this.#answered?.(message));
    this.#child.on('error', (error) => this.#end(`the rules could not be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => this.#end(reasonOf(code, signal)));
    this.#send(start);
  }

  /** Waits for what the program says once its rules are loaded, within a time in milliseconds. */
  loaded(limit: number): Promise<PackAnswer> {
    return this.#answer(limit);
  }

  /** Has a stack judged within a time in milliseconds. No answer in time, or the program's end, is a failure and never an exception. */
  judge(input: PackInput, limit: number): Promise<PackAnswer> {
    const answer = this.#last.then(() => {
      const next = this.#answer(limit);
      this.#send(input);
      return next;
    });
    this.#last = answer;
    return answer;
  }

  close(): void {
    this.#ended ??= 'the check is over';
    this.#child.kill('SIGKILL');
  }

  #answer(limit: number): Promise<PackAnswer> {
    if (this.#ended !== undefined) return Promise.resolve({ failure: this.#ended });
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#end(`the rules did not finish within ${String(limit / 1000)} s`);
        this.#child.kill('SIGKILL');
      }, limit);
      this.#answered = (answer) => {
        clearTimeout(timer);
        this.#answered = undefined;
        done(answer);
      };
    });
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#answered?.({ failure: this.#ended });
  }

  #send(message: PackStart | PackInput): void {
    if (this.#child.connected)
      this.#child.send(message, (error) => (error === null ? undefined : this.#end(`the rules could not be asked: ${error.message}`)));
  }
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null && code !== 134) return `the rules ended the program with ${String(code)}`;
  if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134)
    return `the rules took more than ${String(memoryLimits.all)} MiB of memory, or were killed (${signal ?? 'SIGABRT'})`;
  return `the rules were ended by ${String(signal)}`;
}

function startChild(): ChildProcess {
  const flags = [`--max-old-space-size=${String(memoryLimits.objects)}`];
  const entry = join(__dirname, `pack-main${extname(__filename)}`);
  const program = extname(entry) === '.ts' ? compiled(entry) : entry;
  return spawn(process.execPath, [...flags, program], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], serialization: 'advanced' });
}

let compiledProgram: string | undefined;

/** From the sources (tests, ts-node) the program has to be compiled first, to a place from which it finds its packages. */
function compiled(entry: string): string {
  if (compiledProgram !== undefined) return compiledProgram;
  const own = createRequire(entry);
  const esbuild = own.resolve('esbuild/bin/esbuild');
  const folder = join(dirname(own.resolve('esbuild/package.json')), '../.cache/castellan-packs');
  const text = execFileSync(esbuild, [entry, '--bundle', '--platform=node', '--packages=external', '--log-level=error'], {
    maxBuffer: 1 << 26,
  });
  compiledProgram = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.cjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(compiledProgram, text);
  return compiledProgram;
}
