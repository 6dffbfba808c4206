import { Failure, reasonOf } from './failure.js';
import { isPlain, jsonText } from '../json-text.js';
import { LineWriter } from './line-writer.js';
import { turnTime } from './turn.js';

/** Levels of `--log-level`. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A fact of a log line: never a token, cookie, secret, its name, or a query. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is said of a handled request. */
export interface AccessFields {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly via?: string | undefined;
  readonly provider?: string | undefined;
}

/** Where the sidecar writes what it did, as one JSON object a line. */
export interface Log {
  readonly accessEnabled: boolean;
  /** One handled request. */
  access(fields: AccessFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  flush(): Promise<void>;
}

/** A log on stderr, written in batches without waiting for the reader. */
export function createLog(level: LogLevel, worker?: number): Log {
  const severity = logLevels.indexOf(level);
  const enabled = (each: LogLevel): boolean => severity >= logLevels.indexOf(each);
  const tail = `,"name":"auth-sidecar"${worker === undefined ? '' : `,"worker":${worker}`}`;
  const lines = new LineWriter(2);
  const line = (each: LogLevel, message: string, fields: LogFields): void => {
    const rest = JSON.stringify(fields);
    lines.add(
      `{"level":"${each}","time":"${timestamp()}"${tail}${rest === '{}' ? '' : `,${rest.slice(1, -1)}`},"msg":${JSON.stringify(message)}}\n`,
    );
  };
  let [time, begun] = ['', ''];
  /** The beginning of the access lines of a moment. */
  const beginning = (): string => {
    const now = timestamp();
    if (now !== time) [time, begun] = [now, `{"level":"info","time":"${now}"${tail},"id":"`];
    return begun;
  };
  const writer =
    (each: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (!enabled(each)) return;
      line(each, message, fields);
      lines.push();
    };
  return {
    accessEnabled: enabled('info'),
    access: (fields) => {
      // Put together by hand: this line is written for every request.
      const { id, method, path, status, milliseconds, via, provider = '' } = fields;
      const tenths = Math.round(milliseconds * 10);
      const who = via === undefined ? '' : `,"via":"${via}","provider":${jsonText(provider)}`;
      const usual = isPlain(path) && isPlain(provider);
      const where = usual ? path : JSON.stringify(path).slice(1, -1);
      const text = `${beginning()}${id}","method":${jsonText(method)},"path":"${where}","status":${status},"ms":${Math.floor(tenths / 10)}.${tenths % 10}${who},"msg":"request"}\n`;
      if (usual) lines.addAscii(text);
      else lines.add(text);
    },
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    debug: writer('debug'),
    flush: () => lines.flush(),
  };
}

let millisecond = 0;
let written = '';

/** The time as ISO 8601, made once a millisecond. */
function timestamp(): string {
  const now = turnTime();
  if (now !== millisecond) [millisecond, written] = [now, new Date(now).toISOString()];
  return written;
}

/** What may be said of an unexpected error: its kind, its code, and the address that did not answer. */
export function errorFields(error: unknown): LogFields {
  const { name, address } = error as { name?: unknown; address?: unknown };
  const code = reasonOf(error);
  return {
    error: typeof name === 'string' ? name : 'unknown',
    ...(code === name ? {} : { code }),
    ...(error instanceof Failure ? { address: error.address } : typeof address === 'string' ? { address } : {}),
  };
}
