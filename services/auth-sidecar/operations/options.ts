import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { ConfigSource } from '../config/load-config.js';
import type { TlsKeyPair } from '../sidecar-server.js';
import type { LogLevel } from '../../../core/values/log-levels.js';
import type { Dependency } from './readiness.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The sidecar's command line, as plain data that can be sent to workers. */
export interface SidecarOptions {
  /** The configuration file. @default none: the environment sets everything */
  readonly config?: string;
  /**
   * Origin of the app. @default none: other proxies ask `/.auth/check` about the requests that they
   * hold
   */
  readonly upstream?: string;
  /** `HOST:PORT`; an empty host means every address, port 0 takes a free one. */
  readonly listen: string;
  /** The certificate to serve, a PEM file. @default plain HTTP */
  readonly tlsCert?: string;
  /** The key of that certificate, a PEM file. */
  readonly tlsKey?: string;
  /** CIDR ranges whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins that the sidecar serves. @default the listen address */
  readonly publicOrigins: readonly string[];
  /** Sends `X-Forwarded-User`, `-Email` and `-Groups` to the app, too. @default false */
  readonly forwardUserHeaders?: boolean;
  /** What readiness depends on. @default only the token store */
  readonly readyWhen?: readonly Dependency[];
  /** `HOST:PORT` of health, readiness, metrics and sessions. @default not served separately */
  readonly adminListen?: string;
  /**
   * The bearer token for sessions on that port; it is not logged. @default none: sessions are listed
   * and ended where the port is bound to loopback only
   */
  readonly adminToken?: string;
  /** Which names headers and cookies have: neutral ones, or those of the cloud. */
  readonly dialect: Dialect;
  /** The number of processes that share the port, 1 to 64. */
  readonly workers: number;
  /** What is logged: lines of this level and above. */
  readonly logLevel: LogLevel;
  /**
   * A folder of files named like the secrets that are not in the environment. @default only the
   * environment
   */
  readonly secrets?: string;
  /**
   * @default embedded SQLite, a file for each configuration under `.castellan/auth-sidecar/` of the
   *   working directory or of TMPDIR
   */
  readonly tokenStore?: string;
  /** Folder with the pages' template, style, logo and words. @default the sidecar's own */
  readonly pages?: string;
  /**
   * A JSON file with addresses of providers by their keys, for tests and national clouds. @default
   * the public ones
   */
  readonly endpoints?: string;
  /**
   * A JSON file with `aheadSeconds`: how far the time of sessions and tokens is ahead of the
   * machine's, for rehearsals; the sandbox's clock. @default the machine's time
   */
  readonly clock?: string;
  /**
   * How many decrypted sessions are cached; 0: the session of every request is decrypted and
   * verified.
   */
  readonly sessionCache: number;
  /** How long a request's headers may take, in seconds. @default 15 */
  readonly headerSeconds?: number;
  /**
   * How long a client may be idle before its request is complete, or take nothing of an answer that
   * waits for it, in seconds.
   *
   * @default 60
   */
  readonly bodySeconds?: number;
  /** How long requests may take to end at shutdown, in seconds. */
  readonly drainSeconds: number;
}

/** Where the configuration of these options comes from. */
export function configSource(options: SidecarOptions): ConfigSource {
  return {
    ...omitUndefined({ file: options.config, endpointsFile: options.endpoints }),
    dialect: options.dialect,
    secrets: {
      env: process.env,
      ...omitUndefined({ directory: options.secrets }),
    },
  };
}

/** A parsed `HOST:PORT`. */
export interface ListenAddress {
  /** Undefined: every address. */
  readonly host?: string;
  readonly port: number;
}

/** @throws CAS6004 for anything but `HOST:PORT`, `:PORT` or `[IPv6]:PORT` */
export function parseListen(text: string, flag: string): ListenAddress {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65535)
    throw new CastellanError('CAS6004', `${flag}: "${text}" is not HOST:PORT`);
  const host = match[1] ?? match[2] ?? '';
  return { ...(host !== '' && { host }), port };
}

/** The URL under which a listening address is reached from this machine. */
export function reachableUrl({ host }: ListenAddress, port: number, usesTls: boolean): string {
  const hostName =
    host === undefined || host === '0.0.0.0' || host === '::'
      ? 'localhost'
      : host.includes(':')
        ? `[${host}]`
        : host;
  return new URL(`${usesTls ? 'https' : 'http'}://${hostName}:${port}`).origin;
}

/**
 * Reads certificate and key. @throws CAS6004 when only one is given, one can't be read, or they can't
 * be used together
 */
export function readTls({ tlsCert, tlsKey }: SidecarOptions): TlsKeyPair | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CastellanError('CAS6004', '--tls-cert and --tls-key belong together');
  const read = (flag: string, file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (cause) {
      throw new CastellanError(
        'CAS6004',
        `${flag}: ${file} can't be read: ${(cause as NodeJS.ErrnoException).code ?? 'unknown reason'}`,
        {
          cause,
        },
      );
    }
  };
  const files = { cert: read('--tls-cert', tlsCert), key: read('--tls-key', tlsKey) };
  try {
    createSecureContext(files);
  } catch (cause) {
    // Such as "error:0480006C:PEM routines::no start line".
    const reason = (cause as Error).message.replace(/^.*::/, '');
    throw new CastellanError(
      'CAS6004',
      `--tls-cert and --tls-key: ${tlsCert} and ${tlsKey} are no certificate and its key as PEM: ${reason}`,
      { cause },
    );
  }
  return files;
}
