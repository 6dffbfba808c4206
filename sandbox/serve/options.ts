import { readFileSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { logLevels } from '../../core/values/log-levels.js';
import { isLoopback } from '../../core/values/loopback.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { LongRunningOptions } from '../../services/common/service.js';
import { type ServiceName, serviceNames } from './service-factories.js';

/** The command line of `castellan serve`, as commander gives it. */
export interface ServeFlags {
  /** `HOST:PORT`. */
  readonly listen: string;
  /** A PEM file, as the key is. */
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** `sqlite:PATH`, `postgres://…` or `memory:`. */
  readonly database: string;
  readonly dialect: string;
  /** `on` or `off`. */
  readonly throttle: string;
  readonly logLevel: string;
  /** URLs, separated by commas. */
  readonly issuer?: string;
  /** Audiences, separated by commas. */
  readonly audience?: string;
  /** `false` with `--no-auth`. */
  readonly auth: boolean;
  /** The file with what exists from the start. */
  readonly seed?: string;
  /** ISO 8601. */
  readonly now?: string;
  /** `always`, `never`, `random:SEED` or `size:BYTES`. */
  readonly longRunning: string;
  readonly longRunningSeconds: string;
  /** The name prefix of items whose creation is accepted and then fails. */
  readonly failItems?: string;
  /** The file to record the calls in. */
  readonly record?: string;
}

/** A checked command line of `castellan serve`. */
export interface ServeOptions {
  readonly services: readonly ServiceName[];
  readonly listen: { readonly host: string; readonly port: number };
  /** Certificate and key, in PEM. @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** `sqlite:PATH`, `postgres://…` or `memory:`. */
  readonly database: string;
  readonly dialect: Dialect;
  /** Whether to answer 429 by the services' own limits. */
  readonly throttle: boolean;
  readonly logLevel: string;
  /** Issuers of tokens, by OpenID discovery; none: every token is refused. */
  readonly issuers: readonly string[];
  /** What `aud` of tokens may be. @default the services' own audiences */
  readonly audiences?: readonly string[];
  /** Whether requests need a token. */
  readonly authentication: boolean;
  readonly seedFile?: string;
  /** The time at which the clock starts. @default the machine's */
  readonly now?: Date;
  readonly longRunning: LongRunningOptions;
  /** The name prefix of items whose creation is accepted and then fails. */
  readonly failingItemPrefix?: string;
  /** The file to record the calls in. */
  readonly record?: string;
}

/**
 * Parses the arguments and flags of `castellan serve`.
 *
 * @throws CAS4003 naming the flag, its value and the allowed values.
 */
export function parseServeOptions(
  serviceArguments: readonly string[],
  flags: ServeFlags,
): ServeOptions {
  const listen = parseListen(flags.listen);
  if (!flags.auth && !isLoopback(listen.host))
    throw flagError(
      `--no-auth is accepted on loopback only, and --listen ${flags.listen} is not: use 127.0.0.1, [::1] or localhost`,
    );
  const isTls = flags.tlsCert !== undefined || flags.tlsKey !== undefined;
  return {
    services: [...new Set(serviceArguments.map(parseServiceName))],
    listen,
    ...(isTls && { tls: readTls(flags.tlsCert, flags.tlsKey) }),
    database: flags.database,
    dialect: parseEnum('--dialect', flags.dialect, ['neutral', 'azure']),
    throttle: parseEnum('--throttle', flags.throttle, ['on', 'off']) === 'on',
    logLevel: parseEnum('--log-level', flags.logLevel, logLevels),
    issuers: splitList(flags.issuer),
    ...(flags.audience !== undefined && { audiences: splitList(flags.audience) }),
    authentication: flags.auth,
    ...omitUndefined({ seedFile: flags.seed, record: flags.record }),
    ...(flags.now !== undefined && { now: parseNow(flags.now) }),
    longRunning: {
      ...parseLongRunning(flags.longRunning),
      seconds: parseSeconds(flags.longRunningSeconds),
    },
    ...omitUndefined({ failingItemPrefix: flags.failItems || undefined }),
  };
}

/**
 * Splits `HOST:PORT` or `[IPv6]:PORT`; port 0 takes a free one.
 *
 * @throws CAS4003 for anything else.
 */
export function parseListen(text: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535)
    throw flagError(
      `--listen ${text}: allowed is HOST:PORT, such as 127.0.0.1:8080 or [::1]:0 (port 0 takes a free one)`,
    );
  return { host, port };
}

function parseServiceName(word: string): ServiceName {
  const known = serviceNames.find((name) => name === word);
  if (known !== undefined) return known;
  if (word === 'sidecar')
    throw flagError('the sign-in layer is no service of this command: `castellan sidecar` runs it');
  throw flagError(
    `"${word}" is not a service${didYouMean(nearest(word, serviceNames), '', ',')}; allowed: ${serviceNames.join(', ')}`,
  );
}

function readTls(
  certFile: string | undefined,
  keyFile: string | undefined,
): { cert: string; key: string } {
  if (certFile === undefined || keyFile === undefined)
    throw flagError('--tls-cert and --tls-key go together: one of them is missing');
  return { cert: readPem('--tls-cert', certFile), key: readPem('--tls-key', keyFile) };
}

function readPem(flag: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch (cause) {
    throw new CastellanError(
      'CAS4003',
      `${flag} ${file} can't be read: ${(cause as Error).message}`,
      { cause },
    );
  }
  throw flagError(`${flag} ${file} holds no PEM text ("-----BEGIN …")`);
}

function parseEnum<Value extends string>(
  flag: string,
  text: string,
  allowed: readonly Value[],
): Value {
  const known = allowed.find((value) => value === text);
  if (known !== undefined) return known;
  const suggestion = nearest(text, allowed);
  throw flagError(
    `${flag} ${text}: allowed are ${allowed.join(', ')}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
  );
}

function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}

function parseNow(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
    ? new Date(text)
    : new Date(NaN);
  if (Number.isNaN(time.getTime()))
    throw flagError(`--now ${text}: allowed is an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  return time;
}

function parseLongRunning(text: string): Omit<LongRunningOptions, 'seconds'> {
  if (text === 'always' || text === 'never') return { mode: text, seed: '' };
  const [mode, ...parts] = text.split(':');
  const argument = parts.join(':');
  if (mode === 'random') return { mode, seed: argument };
  if (mode === 'size' && /^\d{1,9}$/.test(argument))
    return { mode, seed: '', bytes: Number(argument) };
  throw flagError(`--long-running ${text}: allowed are always, never, random:SEED and size:BYTES`);
}

function parseSeconds(text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(seconds <= 3600))
    throw flagError(`--long-running-seconds ${text}: allowed is a number from 0 to 3600`);
  return seconds;
}

function flagError(message: string): CastellanError {
  return new CastellanError('CAS4003', message);
}
