import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '../common/http-client.js';
import type { WaitOptions } from '../common/long-running.js';

/** How the resource manager's client reaches its service. */
export interface ResourceManagerClientOptions extends Omit<
  HttpClientOptions,
  'baseUrl' | 'dialect'
> {
  /** @default 'https://management.azure.com' */
  readonly baseUrl?: string;
  /** How long to wait for accepted operations. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Overrides the client's `wait` for this call. */
  readonly wait?: Omit<WaitOptions, 'signal'>;
  /** Query options besides the api-version. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers besides the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection that the parts of the client share. */
export interface Connection {
  readonly http: HttpClient;
  /** How long to wait in a call: its own options over the client's. */
  waitOptions(call: CallOptions | undefined): WaitOptions;
}

/** Opens the connection. The resource manager has only the cloud's dialect. */
export function connect(options: ResourceManagerClientOptions): Connection {
  const { baseUrl = 'https://management.azure.com', wait, ...rest } = options;
  const http = createHttpClient({ ...rest, baseUrl, dialect: 'azure' });
  return { http, waitOptions: (call) => ({ ...wait, ...call?.wait, ...signalOf(call) }) };
}

/** The signal of a call, for spreading into a request. */
export function signalOf(call: CallOptions | undefined): { signal?: AbortSignal } {
  return call?.signal === undefined ? {} : { signal: call.signal };
}

/**
 * The additions of a call to its request: the api-version, more query options and headers, the
 * signal.
 */
export function requestOptions(
  apiVersion: string,
  call: CallOptions | undefined,
): {
  query: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
} {
  const headers = call?.headers === undefined ? {} : { headers: call.headers };
  return { query: { 'api-version': apiVersion, ...call?.query }, ...headers, ...signalOf(call) };
}

/** The api-versions that the client uses, by resource type: those of the official providers. */
export const apiVersions = {
  'Microsoft.Resources/resourceGroups': '2023-07-01',
  'Microsoft.App/managedEnvironments': '2025-07-01',
  'Microsoft.App/containerApps': '2025-07-01',
  'Microsoft.App/containerApps/authConfigs': '2025-07-01',
  'Microsoft.OperationalInsights/workspaces': '2025-07-01',
  /** An older version: later ones have neither the keys of a workspace nor its deletion. */
  'Microsoft.OperationalInsights/workspaces/sharedKeys': '2020-08-01',
  'Microsoft.ManagedIdentity/userAssignedIdentities': '2024-11-30',
  'Microsoft.Resources/providers': '2022-09-01',
} as const;

/** A resource type of {@link apiVersions}. */
export type ResourceType = keyof typeof apiVersions;
