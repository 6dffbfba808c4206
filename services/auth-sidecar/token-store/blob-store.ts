import type { BlobSettings } from '../config/settings.js';
import {
  ExternalCallError,
  urlWithoutSecrets,
  reasonOf,
} from '../operations/external-call-error.js';
import type { EntryStore } from './entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

const apiVersion = '2021-12-02';
const requestTimeoutMs = 5000;
/** How long an answer is cached, in milliseconds: one cloud request per session in this time. */
const cacheMs = 2000;
const maxCachedEntries = 10_000;
/** Tokens of the managed identity are renewed so long before they expire, and after an hour. */
const tokenRenewalMarginMs = 120_000;
const maxTokenAgeMs = 3_600_000;

interface StoredEntry {
  readonly value: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A store in a blob container, by shared access signature or by managed identity. One blob an
 * entry.
 */
export function openBlobStore(
  settings: BlobSettings,
  now: SecondsClock,
  env: Readonly<Record<string, string | undefined>>,
): EntryStore {
  const cache = new Map<
    string,
    { readonly cachedAt: number; readonly entry: StoredEntry | undefined }
  >();
  const container = new URL(settings.sasUrl ?? settings.containerUri ?? '');
  const token = settings.sasUrl === undefined ? managedIdentity(settings, env) : undefined;
  const call = async (
    method: string,
    key: string,
    statuses: readonly number[],
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const url = new URL(container);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(key)}`;
    const response = await fetchFrom(url, {
      method,
      headers: {
        'x-ms-version': apiVersion,
        ...(token !== undefined && { authorization: `Bearer ${await token()}` }),
        ...(body !== undefined && {
          'x-ms-blob-type': 'BlockBlob',
          'content-type': 'application/json',
        }),
        ...headers,
      },
      ...omitUndefined({ body }),
    });
    if (statuses.includes(response.status)) return response;
    await response.body?.cancel();
    throw new ExternalCallError(`status ${response.status}`, urlWithoutSecrets(url.href));
  };
  const cacheEntry = (key: string, entry: StoredEntry | undefined): void => {
    cache.set(key, { cachedAt: Date.now(), entry });
    if (cache.size > maxCachedEntries) cache.delete(cache.keys().next().value as string);
  };
  const readOne = async (key: string): Promise<string | undefined> => {
    let cached = cache.get(key);
    if (cached === undefined || Date.now() - cached.cachedAt > cacheMs) {
      const askedAt = Date.now();
      const response = await call('GET', key, [200, 404]);
      const text = await response.text();
      // what was written here since then is newer than the answer
      if ((cache.get(key)?.cachedAt ?? -Infinity) < askedAt)
        cacheEntry(key, response.status === 404 ? undefined : (JSON.parse(text) as StoredEntry));
      cached = cache.get(key);
    }
    return cached?.entry !== undefined && cached.entry.expiresAt > now()
      ? cached.entry.value
      : undefined;
  };
  const put = async (
    key: string,
    entry: StoredEntry,
    statuses: readonly number[],
    headers: Record<string, string> = {},
  ): Promise<boolean> => {
    const response = await call('PUT', key, statuses, JSON.stringify(entry), headers);
    await response.arrayBuffer();
    if (response.status !== 201) return false;
    cacheEntry(key, entry);
    return true;
  };
  return {
    read: (keys) => Promise.all(keys.map(readOne)),
    write: async (key, value, expiresAt) => {
      await put(key, { value, expiresAt }, [201]);
    },
    add: (key, value, expiresAt) =>
      put(key, { value, expiresAt }, [201, 409, 412], { 'if-none-match': '*' }),
    remove: async (key) => {
      await (await call('DELETE', key, [202, 404])).arrayBuffer();
      cacheEntry(key, undefined);
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Sends a request; a failure contains the address without its query, which is a shared access
 * signature. @throws ExternalCallError
 */
async function fetchFrom(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, {
      ...request,
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  } catch (error) {
    throw new ExternalCallError(reasonOf(error), urlWithoutSecrets(url.href));
  }
}

/** Tokens of the platform's identity endpoint, renewed before they expire. */
function managedIdentity(
  settings: BlobSettings,
  env: Readonly<Record<string, string | undefined>>,
): () => Promise<string> {
  const endpoint = env['IDENTITY_ENDPOINT'] || undefined;
  const url = new URL(endpoint ?? 'http://169.254.169.254/metadata/identity/oauth2/token');
  url.searchParams.set('resource', 'https://storage.azure.com/');
  url.searchParams.set('api-version', endpoint === undefined ? '2018-02-01' : '2019-08-01');
  if (settings.clientId !== undefined) url.searchParams.set('client_id', settings.clientId);
  if (settings.managedIdentityResourceId !== undefined)
    url.searchParams.set('mi_res_id', settings.managedIdentityResourceId);
  const headers = {
    metadata: 'true',
    ...omitUndefined({ 'x-identity-header': env['IDENTITY_HEADER'] || undefined }),
  };
  let cached: { readonly token: string; readonly until: number } | undefined;
  let running: Promise<string> | undefined;
  const requestToken = async (): Promise<string> => {
    const response = await fetchFrom(url, { headers });
    const body = await readIdentityToken(response);
    if (response.status !== 200 || body.access_token === undefined)
      throw new ExternalCallError(`status ${response.status}`, urlWithoutSecrets(url.href));
    cached = {
      token: body.access_token,
      until: Math.min(
        Number(body.expires_on ?? 0) * 1000 - tokenRenewalMarginMs,
        Date.now() + maxTokenAgeMs,
      ),
    };
    return cached.token;
  };
  return async () => {
    if (cached !== undefined && cached.until > Date.now()) return cached.token;
    running ??= requestToken().finally(() => (running = undefined));
    return running;
  };
}

interface IdentityToken {
  readonly access_token?: string;
  /** Seconds since 1970. */
  readonly expires_on?: string | number;
}

/** The JSON of an answer; empty for other text, which error pages have. */
async function readIdentityToken(response: Response): Promise<IdentityToken> {
  try {
    return (await response.json()) as IdentityToken;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}
