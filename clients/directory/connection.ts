import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '../common/http-client.js';

/** The version segment of a path. */
export type DirectoryVersion = 'v1.0' | 'beta';

/** How the directory client reaches its service. */
export interface DirectoryClientOptions extends Omit<HttpClientOptions, 'baseUrl'> {
  /** @default 'https://graph.microsoft.com' */
  readonly baseUrl?: string;
  /** The version of calls that don't name one. @default 'v1.0' */
  readonly version?: DirectoryVersion;
}

/** Options of every call. */
export interface CallOptions {
  /** @default the client's version */
  readonly version?: DirectoryVersion;
  readonly signal?: AbortSignal;
}

/** Options of a read of one object. */
export interface ReadOptions extends CallOptions {
  /** @default the properties that the service returns by default */
  readonly select?: readonly string[];
  /** A relationship, optionally with nested options: `members($select=id)`. */
  readonly expand?: string;
}

/** Options of a listing. */
export interface ListOptions extends ReadOptions {
  /** A `$filter`; escape values with {@link quote}. */
  readonly filter?: string;
  /** A `$search`, such as `"displayName:sales"`; it makes the query an advanced one. */
  readonly search?: string;
  /** A `$orderby`, such as `displayName desc`. */
  readonly orderby?: string;
  /** The page size, 1 to 999. @default 100, set by the service */
  readonly pageSize?: number;
  /**
   * Sends `ConsistencyLevel: eventual` and `$count=true`, which operators such as `ne`, `not` and
   * `endsWith` need.
   *
   * @default false
   */
  readonly advanced?: boolean;
}

/** The connection that the parts of the directory client share. */
export interface DirectoryConnection {
  readonly http: HttpClient;
  /** The version of calls that don't name one. */
  readonly version: DirectoryVersion;
}

/** Opens the connection; the azure dialect uses the cloud's scope unless one is given. */
export function connect(options: DirectoryClientOptions): DirectoryConnection {
  const { baseUrl = 'https://graph.microsoft.com', version = 'v1.0', ...rest } = options;
  const scope =
    rest.scope ?? (rest.dialect === 'azure' ? 'https://graph.microsoft.com/.default' : undefined);
  return {
    http: createHttpClient({ ...rest, baseUrl, ...omitUndefined({ scope }) }),
    version,
  };
}

/** Quotes a string for a `$filter`: in single quotes, with quotes inside doubled. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The signal of a call, for spreading into a request. */
export function signalOf(call: CallOptions | undefined): { signal?: AbortSignal } {
  return call?.signal === undefined ? {} : { signal: call.signal };
}
