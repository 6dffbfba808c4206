import fs from 'node:fs';

/** Levels of `--log-level`. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A fact of a log line: never a token, cookie, secret, its name, or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where the sidecar writes what it did, as one JSON object a line. */
export interface Log {
  readonly accessEnabled: boolean;
  /** One handled request. */
  access(fields: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  flush(): void;
}

/** Lines wait until there are this many characters, or for a quarter of a second. */
const batch = 8 * 1024;
/** A reader of stderr that hangs costs lines, not memory. */
const mostWaiting = 4 * 1024 * 1024;

/** A log on stderr, written in batches without waiting for whoever reads it. */
export function createLog(level: LogLevel, worker?: number): Log {
  const severity = logLevels.indexOf(level);
  const enabled = (each: LogLevel): boolean => severity >= logLevels.indexOf(each);
  const tail = `,"name":"auth-sidecar"${worker === undefined ? '' : `,"worker":${worker}`}`;
  let waiting = '';
  let writing = false;
  const write = (): void => {
    if (writing || waiting === '') return;
    const text = waiting;
    waiting = '';
    writing = true;
    fs.write(2, text, () => {
      writing = false; // a line that can't be written has nowhere to be reported
      if (waiting.length >= batch) write();
    });
  };
  setInterval(write, 250).unref();
  const line = (each: LogLevel, message: string, fields: LogFields): void => {
    if (waiting.length > mostWaiting) return;
    const rest = JSON.stringify(fields);
    waiting += `{"level":"${each}","time":"${timestamp()}"${tail}${rest === '{}' ? '' : `,${rest.slice(1, -1)}`},"msg":${JSON.stringify(message)}}\n`;
    if (waiting.length >= batch) write();
  };
  const writer =
    (each: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (!enabled(each)) return;
      line(each, message, fields);
      write();
    };
  return {
    accessEnabled: enabled('info'),
    access: (fields) => line('info', 'request', fields),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    debug: writer('debug'),
    flush: () => {
      if (waiting !== '') fs.writeSync(2, waiting);
      waiting = '';
    },
  };
}

let second = 0;
let date = '';

/** The time as ISO 8601; the part down to the second is made once a second. */
function timestamp(): string {
  const now = Date.now();
  const whole = Math.floor(now / 1000);
  if (whole !== second) [second, date] = [whole, new Date(whole * 1000).toISOString().slice(0, 20)];
  return `${date}${String(now % 1000).padStart(3, '0')}Z`;
}

/** What may be said of an unexpected error: its kind and code. Its message may quote addresses with credentials, or a token. */
export function errorFields(error: unknown): LogFields {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return { error: typeof name === 'string' ? name : 'unknown', ...(typeof code === 'string' ? { code } : {}) };
}
