import { createHttpClient } from '../common/http-client.js';
import type { HttpClient, HttpClientOptions } from '../common/http-client.js';
import type { WaitOptions } from '../common/long-running.js';

/** How the resource manager's client reaches its service. */
export interface ResourceManagerClientOptions extends Omit<HttpClientOptions, 'baseUrl' | 'dialect'> {
  /** @default 'https://management.azure.com' */
  readonly baseUrl?: string;
  /** How long accepted operations are waited for. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
}

/** What each call may carry. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Overrides the client's `wait` for this call. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
  /** Query options beside the api-version. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers beside the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection that the parts of the client share. */
export interface Connection {
  readonly http: HttpClient;
  waitOptions(call: CallOptions | undefined): WaitOptions;
}

/** Opens the connection. The resource manager has one dialect, the cloud's. */
export function connect(options: ResourceManagerClientOptions): Connection {
  const { baseUrl = 'https://management.azure.com', wait, ...rest } = options;
  const http = createHttpClient({ ...rest, baseUrl, dialect: 'azure' });
  return { http, waitOptions: (call) => ({ ...wait, ...call?.wait, ...signalOf(call) }) };
}

/** The signal of a call, for spreading into a request. */
export function signalOf(call: CallOptions | undefined): { signal?: AbortSignal } {
  return call?.signal === undefined ? {} : { signal: call.signal };
}

/** What a call adds to its request: the api-version, further query options and headers, the signal. */
export function requestOptions(
  apiVersion: string,
  call: CallOptions | undefined,
): { query: Readonly<Record<string, string>>; headers?: Readonly<Record<string, string>>; signal?: AbortSignal } {
  const headers = call?.headers === undefined ? {} : { headers: call.headers };
  return { query: { 'api-version': apiVersion, ...call?.query }, ...headers, ...signalOf(call) };
}
