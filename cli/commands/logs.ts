import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import type { RegisterCommand, CliIo } from '../command.js';
import {
  addFormat,
  type FormatFlags,
  formatOf,
  printJsonLine,
  printResult,
  printText,
} from '../format.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { sandboxName, sandboxPaths } from '../../sandbox/paths.js';
import { listFolder } from '../../core/source/list-folder.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { parseInstant } from '../../core/values/instant.js';
import { interruptSignal } from '../start.js';

interface LogFlags extends FormatFlags, EnvironmentFlags {
  readonly follow?: boolean;
  /** A time, or how long ago: `10m`. */
  readonly since?: string;
}

/** `castellan logs [APP]`: prints the output of the sandbox's apps. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('logs')
    .description(
      'Show what an app of the sandbox writes, and why it ended; all of them where none is named.',
    )
    .argument('[app]', 'the name of an app')
    .option('-f, --follow', 'keep printing new lines; as JSON, one object per line');
  addFormat(command)
    .option('--since <time>', 'only from then on: 30s, 10m, 2h, 1d or 2026-11-22T12:00:00Z')
    .option(...environmentOption)
    .action(async (app: string | undefined, flags: LogFlags) => {
      const since = parseSince(flags.since);
      await showLogs(
        {
          app,
          since,
          follow: flags.follow === true,
          format: formatOf(flags),
          ...withoutDefaultEnvironment(flags),
        },
        io,
      );
      done(0);
    });
};

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function parseSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const time =
    number !== undefined && unit !== undefined
      ? new Date(Date.now() - Number(number) * (secondsPerUnit[unit] ?? 1) * 1000)
      : new Date(parseInstant(text.replace(' ', 'T')));
  if (Number.isNaN(time.getTime()))
    throw new CastellanError(
      'CAS8001',
      `--since ${text}: allowed are 30s, 10m, 2h, 1d or a time such as 2026-11-22T12:00:00Z`,
    );
  return time;
}

const pollMilliseconds = 200;
/** The length of `2026-11-22T12:00:00.000Z`. */
const timeLength = 24;

/** Which logs to show. */
export interface LogOptions {
  /** Undefined for all apps. */
  readonly app: string | undefined;
  /** Undefined for all lines that are kept. */
  readonly since: Date | undefined;
  readonly follow: boolean;
  readonly format: 'text' | 'json';
  readonly environment?: string;
}

/**
 * Prints the logs of apps; with `follow` until the process is interrupted. As JSON they are one
 * document, or with `follow` one object per line.
 *
 * @throws CAS8106 for an app that has never run.
 */
export async function showLogs(
  { app, since, follow, format, environment }: LogOptions,
  io: CliIo,
): Promise<void> {
  const folder = join(io.cwd, environmentFolder(environment), 'logs');
  const names = appsWithLogs(folder);
  if (app !== undefined && !names.includes(app)) {
    const hint = didYouMean(
      nearest(app, names),
      names.length === 0 ? '' : `; there are ${names.join(', ')}`,
    );
    throw new CastellanError(
      'CAS8106',
      `no process of an app "${app}" ran in the sandbox of this folder${hint}; an app with \`sandbox.page\` runs none`,
    );
  }
  let apps = app === undefined ? names : [app];
  if (apps.length === 0) {
    const name = sandboxName(sandboxPaths(io.cwd, environment));
    printText(io.stderr, `no process of an app ran in the sandbox of ${name}\n`);
  }
  const positions = new Map<string, Position>();
  const printedLines: LogLine[] = [];
  for (const name of apps) {
    const file = join(folder, `${name}.log`);
    const earlier = readFrom(`${file}.1`);
    const latest = readFrom(file);
    positions.set(name, latest);
    const lines = `${earlier.text}${latest.text}`.split('\n');
    printedLines.push(...lines.flatMap((line) => parseLine(line, name, since)));
  }
  const print = (line: LogLine): void => {
    if (format === 'json') printJsonLine(line, io);
    else io.stdout.write(`${apps.length > 1 ? `${line.app} ` : ''}${line.time} ${line.text}\n`);
  };
  if (format === 'json' && !follow) printResult(format, { lines: printedLines }, '', io);
  else printedLines.forEach(print);
  const interrupt = interruptSignal();
  while (follow && !interrupt.aborted) {
    // ends when interrupted
    await wait(pollMilliseconds, undefined, { signal: interrupt }).catch(() => undefined);
    if (app === undefined) apps = appsWithLogs(folder); // some may be deployed later
    for (const name of apps) {
      const file = join(folder, `${name}.log`);
      const before = positions.get(name);
      const latest = readFrom(file, before);
      positions.set(name, latest);
      // A file that became too long was renamed: what it got since is there.
      const renamed =
        before?.id !== undefined && before.id !== latest.id
          ? readFrom(`${file}.1`, before, 'same file')
          : undefined;
      const text = `${renamed?.text ?? ''}${latest.text}`;
      for (const line of text.split('\n')) parseLine(line, name, undefined).forEach(print);
    }
  }
}

function appsWithLogs(folder: string): readonly string[] {
  return listFolder(folder).flatMap((file) => /^(.+)\.log$/.exec(file)?.[1] ?? []);
}

/** The output of an app, with times. */
interface LogLine {
  readonly app: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  readonly text: string;
}

/** A line of a log file, which begins with its time; none if it is empty or before `since`. */
function parseLine(line: string, app: string, since: Date | undefined): readonly LogLine[] {
  const time = line.slice(0, timeLength);
  if (line === '' || (since !== undefined && time < since.toISOString())) return [];
  return [{ app, time, text: line.slice(timeLength + 1) }];
}

/** How far a log file has been read. */
interface Position {
  /** What tells the file from others of its name; undefined if there is none. */
  readonly id: string | undefined;
  readonly end: number;
}

/**
 * The complete lines after a position. Another file of the name, or one that became shorter, is
 * read from its start.
 *
 * @param which `same file`: another file is not read at all.
 */
function readFrom(
  file: string,
  position: Position = { id: undefined, end: 0 },
  which: 'any file' | 'same file' = 'any file',
): Position & { readonly text: string } {
  const nothing = { text: '', id: undefined, end: 0 };
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw error;
  }
  try {
    const { dev, ino, size } = fstatSync(descriptor);
    const id = `${dev}/${ino}`;
    if (which === 'same file' && id !== position.id) return nothing;
    const from = size < position.end || id !== position.id ? 0 : position.end;
    const buffer = Buffer.alloc(size - from);
    const length = readSync(descriptor, buffer, 0, buffer.length, from);
    const last = buffer.subarray(0, length).lastIndexOf('\n');
    return { text: buffer.subarray(0, last + 1).toString('utf8'), id, end: from + last + 1 };
  } finally {
    closeSync(descriptor);
  }
}
