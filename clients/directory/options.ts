import { createHttpClient, type HttpClient, type HttpClientOptions } from '../common/http-client.js';

/** The version segment of a path. */
export type DirectoryVersion = 'v1.0' | 'beta';

/** How the directory client reaches its service. */
export interface DirectoryClientOptions extends Omit<HttpClientOptions, 'baseUrl'> {
  /** @default 'https://graph.microsoft.com' */
  readonly baseUrl?: string;
  /** The version of calls that don't name one. @default 'v1.0' */
  readonly version?: DirectoryVersion;
}

/** What each call may carry. */
export interface CallOptions {
  /** @default the client's version */
  readonly version?: DirectoryVersion;
  readonly signal?: AbortSignal;
}

/** What a read of one object may ask for. */
export interface ReadOptions extends CallOptions {
  /** @default the properties that the service returns by default */
  readonly select?: readonly string[];
  /** A relationship, with nested options where wanted: `members($select=id)`. */
  readonly expand?: string;
}

/** What a listing may ask for. */
export interface ListOptions extends ReadOptions {
  /** A `$filter`; write values with {@link quote}. */
  readonly filter?: string;
  /** A `$search`, such as `"displayName:sales"`; makes the query an advanced one by itself. */
  readonly search?: string;
  readonly orderby?: string;
  /** Objects a page, 1 to 999. @default 100, by the service */
  readonly pageSize?: number;
  /** Asks with `ConsistencyLevel: eventual` and `$count=true`, as operators such as `ne`, `not` and `endsWith` need. @default false */
  readonly advanced?: boolean;
}

/** The connection that the parts of the directory client share. */
export interface DirectoryConnection {
  readonly http: HttpClient;
  readonly version: DirectoryVersion;
}

/** Opens the connection; the scope is the cloud's for the azure dialect unless one is given. */
export function connect(options: DirectoryClientOptions): DirectoryConnection {
  const { baseUrl = 'https://graph.microsoft.com', version = 'v1.0', ...rest } = options;
  const scope = rest.scope ?? (rest.dialect === 'azure' ? 'https://graph.microsoft.com/.default' : undefined);
  return { http: createHttpClient({ ...rest, baseUrl, ...(scope === undefined ? {} : { scope }) }), version };
}

/** A string as a `$filter` writes it: in single quotes, with quotes inside doubled. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The signal of a call, for spreading into a request. */
export function signalOf(call: CallOptions | undefined): { signal?: AbortSignal } {
  return call?.signal === undefined ? {} : { signal: call.signal };
}
