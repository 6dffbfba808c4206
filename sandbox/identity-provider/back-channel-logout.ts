import { request } from 'node:https';
import type { Client, default as Provider, Session } from 'oidc-provider';

/** The part of `fetch` that sends a logout token. */
export type AppFetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The address at which the sign-in layer of an app receives logout tokens, beside its redirect URI;
 * undefined for applications without such a layer.
 *
 * @example backChannelLogoutUri(['https://shop.localhost/.auth/login/aad/callback'])
 * // 'https://shop.localhost/.auth/logout/backchannel'
 */
export function backChannelLogoutUri(redirectUris: readonly string[]): string | undefined {
  for (const uri of redirectUris) {
    const [, prefix] = /^(https:\/\/[^?#]+)\/login\/[^/?#]+\/callback$/.exec(uri) ?? [];
    if (prefix !== undefined) return `${prefix}/logout/backchannel`;
  }
  return undefined;
}

/**
 * A `fetch` for the apps of this machine: it connects to 127.0.0.1 for names below `localhost`,
 * which not every system resolves.
 *
 * @param ca the authority that signed the ingress's certificate, in PEM.
 */
export function createAppFetch(ca: string): AppFetch {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(url);
      const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
      const text = body instanceof URLSearchParams ? body.toString() : '';
      const appRequest = request({
        host: isLocal ? '127.0.0.1' : hostname,
        servername: hostname,
        port: port === '' ? 443 : Number(port),
        path: pathname + search,
        method,
        ca,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          host: new URL(url).host,
          'content-length': String(Buffer.byteLength(text)),
        },
        ...(signal && { signal }),
      });
      appRequest.on('error', reject).on('response', (answer) => {
        answer.resume();
        resolve(new Response(null, { status: answer.statusCode ?? 502 }));
      });
      appRequest.end(text);
    });
}

/** Sends a logout token to every app that a person signed in to with a session. */
export async function sendLogoutTokens(
  provider: Provider,
  session: Session,
  onFailure: (error: Error) => void,
): Promise<void> {
  const { accountId = '' } = session;
  const clientIds = Object.keys(session.authorizations ?? {});
  await Promise.all(
    clientIds.map(async (id) => {
      const client = (await provider.Client.find(id)) as LogoutClient | undefined;
      if (client?.backchannelLogoutUri === undefined) return;
      await client.backchannelLogout(accountId, String(session.sidFor(id))).catch(onFailure);
    }),
  );
}

/** A client with the members that the types of oidc-provider lack. */
type LogoutClient = Client & {
  readonly backchannelLogoutUri?: string;
  backchannelLogout(accountId: string, sid: string): Promise<void>;
};
