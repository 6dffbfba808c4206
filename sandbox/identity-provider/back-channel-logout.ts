import { request } from 'node:https';
import type { Client, default as Provider, Session } from 'oidc-provider';

/** The part of `fetch` by which a logout token is sent. */
export type SendToApp = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Where the sign-in layer of an app takes logout tokens: beside its redirect URI. Undefined for
 * applications without such a layer.
 *
 * @example backChannelUri(['https://shop.localhost/.auth/login/aad/callback'])
 * // 'https://shop.localhost/.auth/logout/backchannel'
 */
export function backChannelUri(redirectUris: readonly string[]): string | undefined {
  for (const uri of redirectUris) {
    const [, prefix] = /^(https:\/\/[^?#]+)\/login\/[^/?#]+\/callback$/.exec(uri) ?? [];
    if (prefix !== undefined) return `${prefix}/logout/backchannel`;
  }
  return undefined;
}

/**
 * Sends to apps of this machine: names below `localhost` lead here even where nothing resolves
 * them.
 *
 * @param ca the authority that signed the ingress's certificate, in PEM.
 */
export function sendToApps(ca: string): SendToApp {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(url);
      const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
      const text = body instanceof URLSearchParams ? body.toString() : '';
      const sent = request({
        host: isHere ? '127.0.0.1' : hostname,
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
      sent.on('error', reject).on('response', (answer) => {
        answer.resume();
        resolve(new Response(null, { status: answer.statusCode ?? 502 }));
      });
      sent.end(text);
    });
}

/** Tells every app that a person signed in to with this session that it has ended. */
export async function notifyApps(
  provider: Provider,
  session: Session,
  onFailure: (error: Error) => void,
): Promise<void> {
  const { accountId = '' } = session;
  const ids = Object.keys(session.authorizations ?? {});
  await Promise.all(
    ids.map(async (id) => {
      const client = (await provider.Client.find(id)) as TellableClient | undefined;
      if (client?.backchannelLogoutUri === undefined) return;
      await client.backchannelLogout(accountId, String(session.sidFor(id))).catch(onFailure);
    }),
  );
}

/** What the types of oidc-provider leave out. */
type TellableClient = Client & {
  readonly backchannelLogoutUri?: string;
  backchannelLogout(accountId: string, sid: string): Promise<void>;
};
