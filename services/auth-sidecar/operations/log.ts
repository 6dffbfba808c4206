import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { AccessSender } from '../http/answer.js';
import { ExternalCallError, errorName, reasonOf } from './external-call-error.js';
import type { LogLevel } from '../../../core/values/log-levels.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The fields of a log line: never a token, cookie, secret, its name, or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The fields logged for a request. */
export interface AccessFields {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** From the request's start to the close of its answer. */
  readonly milliseconds: number;
  /** The signed-in user or program. */
  readonly sender?: AccessSender | undefined;
  /** Address of the client, behind trusted proxies. */
  readonly client?: string | undefined;
}

/** The sidecar's log: one JSON object per line. */
export interface Log {
  /** Whether `access` writes lines: with the levels `info`, `debug` and `trace`. */
  readonly accessEnabled: boolean;
  /** One handled request. */
  access(fields: AccessFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** Writes the buffered lines; waits only briefly for a slow reader. */
  end(): Promise<void>;
}

/** How long the end of a process waits for a reader that is slow, in milliseconds. */
const flushTimeoutMs = 1000;

/**
 * Access lines are collected, and written when they have so many characters or after so many
 * milliseconds, because each write is a task for another thread.
 */
const accessBatch = { characters: 32 * 1024, milliseconds: 250 };

/** Pino's destination with `contentMode: 'buffer'`, which its types do not know. */
interface BufferDestination {
  write(bytes: Buffer): boolean;
}

/** A log on stderr, written asynchronously; a reader that hangs costs lines, not memory. */
export function createLog(level: LogLevel, worker?: number): Log {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    maxLength: 4 * 1024 * 1024,
    contentMode: 'buffer', // as text, each line would be encoded three times
  });
  const write = (text: string): void => {
    (destination as unknown as BufferDestination).write(Buffer.from(text));
  };
  destination.on('error', () => undefined); // the reader is gone: there is nowhere to report it
  const base = { name: 'auth-sidecar', ...omitUndefined({ worker }) };
  const options = {
    level,
    base,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${timestamp()}"`,
  };
  const logger = pino(options, { write });
  // Not pino's own `minLength`, which measures all waiting text again for each line.
  let lines = '';
  const writeLines = (): void => {
    if (lines !== '') write(lines);
    lines = '';
  };
  const timer = setInterval(writeLines, accessBatch.milliseconds).unref();
  const logAt =
    (lineLevel: 'info' | 'warn' | 'error' | 'debug') =>
    (message: string, fields: LogFields = {}): void => {
      if (!logger.isLevelEnabled(lineLevel)) return;
      writeLines();
      logger[lineLevel](fields, message);
    };
  return {
    accessEnabled: logger.isLevelEnabled('info'),
    access({ id, method, path, status, milliseconds, client, sender }) {
      if (!logger.isLevelEnabled('info')) return;
      const [time, ms] = [timestamp(), Math.round(milliseconds * 10) / 10];
      const { name } = base;
      const { via, provider, user } = sender ?? {};
      lines += `${JSON.stringify({ level: 'info', time, name, worker, id, method, path, status, client, via, provider, user, ms, msg: 'request' })}\n`;
      if (lines.length >= accessBatch.characters) writeLines();
    },
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    debug: logAt('debug'),
    end: async () => {
      logger.level = 'silent';
      clearInterval(timer);
      writeLines();
      const finished = new Promise<void>((resolve) => destination.once('finish', resolve));
      destination.end();
      await Promise.race([finished, setTimeout(flushTimeoutMs, undefined, { ref: false })]);
      destination.destroy(); // otherwise the process would wait at exit for a reader that hangs
    },
  };
}

let lastTimestampMs = 0;
let lastTimestamp = '';

/** The time as ISO 8601, formatted once per millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lastTimestampMs)
    [lastTimestampMs, lastTimestamp] = [now, new Date(now).toISOString()];
  return lastTimestamp;
}

/** The fields logged for an unexpected error: its type, its code, and the address that failed. */
export function errorFields(error: unknown): LogFields {
  const { address, port } = error as { address?: unknown; port?: unknown };
  const [kind, code] = [errorName(error), reasonOf(error)];
  return {
    error: kind ?? 'unknown',
    ...(code !== kind && { code }),
    ...(error instanceof ExternalCallError
      ? { address: error.address }
      : typeof address === 'string'
        ? { address: `${address}${typeof port === 'number' ? `:${port}` : ''}` }
        : {}),
  };
}
