import pino from 'pino';

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

/** A log on stderr, written in batches. */
export function createLog(level: LogLevel, worker?: number): Log {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 8192 });
  const base = worker === undefined ? { name: 'auth-sidecar' } : { name: 'auth-sidecar', worker };
  const logger = pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    destination,
  );
  const flush = (): void => {
    try {
      destination.flushSync();
    } catch {
      return; // not open yet or closed: nothing is waiting to be written
    }
  };
  setInterval(() => destination.flush(() => undefined), 250).unref();
  const write =
    (name: 'info' | 'warn' | 'error' | 'debug') =>
    (message: string, fields: LogFields = {}): void => {
      logger[name](fields, message);
      if (name !== 'debug') destination.flush(() => undefined);
    };
  return {
    accessEnabled: logger.isLevelEnabled('info'),
    access: (fields) => logger.info(fields, 'request'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    debug: write('debug'),
    flush,
  };
}

/** What may be said of an unexpected error: its kind and code. Its message may quote addresses with credentials, or a token. */
export function errorFields(error: unknown): LogFields {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return { error: typeof name === 'string' ? name : 'unknown', ...(typeof code === 'string' ? { code } : {}) };
}
