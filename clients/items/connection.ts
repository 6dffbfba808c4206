import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '../common/http-client.js';
import type { HttpRequest } from '../common/http-messages.js';
import { waitForOutcome, type WaitOptions } from '../common/long-running.js';

/** How the items client reaches its service. */
export interface ItemsClientOptions extends Omit<HttpClientOptions, 'baseUrl'> {
  /** @default 'https://api.fabric.microsoft.com' */
  readonly baseUrl?: string;
  /** How long to wait for accepted operations. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Overrides the client's `wait` for this call. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
}

/** A request apart from its method and path. */
type RequestParts = Pick<HttpRequest, 'body' | 'query' | 'expect'>;

/** The connection that the parts of the items client share. */
export interface ItemsConnection {
  readonly http: HttpClient;
  /** Sends a request and returns the body of the answer. */
  send<T>(
    method: HttpRequest['method'],
    path: string,
    call: CallOptions | undefined,
    parts?: RequestParts,
  ): Promise<T>;
  /** Sends a request, and waits for the end of the operation when the service answers 202. */
  sendAndWait<T>(
    method: HttpRequest['method'],
    path: string,
    call: CallOptions | undefined,
    parts?: RequestParts,
  ): Promise<T>;
}

/** Opens the connection; the azure dialect uses the cloud's scope. */
export function connect(options: ItemsClientOptions): ItemsConnection {
  const { baseUrl = 'https://api.fabric.microsoft.com', wait, ...rest } = options;
  const scope =
    rest.scope ??
    (rest.dialect === 'azure' ? 'https://api.fabric.microsoft.com/.default' : undefined);
  const http = createHttpClient({ ...rest, baseUrl, ...omitUndefined({ scope }) });
  return {
    http,
    send: async <T>(
      method: HttpRequest['method'],
      path: string,
      call: CallOptions | undefined,
      parts?: RequestParts,
    ) => (await http.request<T>({ method, path, ...parts, ...signalOf(call) })).body,
    sendAndWait: async (method, path, call, parts) =>
      waitForOutcome(http, await http.request({ method, path, ...parts, ...signalOf(call) }), {
        ...wait,
        ...call?.wait,
        ...signalOf(call),
      }),
  };
}

/** The signal of a call, for spreading into a request. */
export function signalOf(call: CallOptions | undefined): { signal?: AbortSignal } {
  return call?.signal === undefined ? {} : { signal: call.signal };
}
