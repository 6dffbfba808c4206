import { createCipheriv, randomBytes } from 'node:crypto';
import type { TestIdentityProvider } from '../../test/services/auth-sidecar/support/identity-provider.js';
import { browser, CookieJar, request } from '../../test/services/auth-sidecar/support/raw-client.js';

/** Signs in as a browser would, by the provider and back. @returns the `Cookie` header of the session */
export async function signIn(url: string, idp: TestIdentityProvider): Promise<string> {
  const jar = new CookieJar();
  let path = '/small';
  for (let step = 0; step < 6; step++) {
    const answer = await request(url, { path, headers: { ...browser, ...(jar.header === '' ? {} : { Cookie: jar.header }) } });
    jar.take(answer);
    if (answer.status === 200) return jar.header;
    const location = new URL(answer.headers['location']?.[0] ?? '', url);
    const target = location.origin === idp.url ? new URL(idp.authorize(location)) : location;
    path = target.pathname + target.search;
  }
  throw new Error(`no sign-in at ${url}`);
}

/** The cookie that bench/sidecar/auth-server.ts opens. */
export function sealedCookie(key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const claims = JSON.stringify({ sub: 'subject-1', name: 'Ada Lovelace', filler: 'x'.repeat(250) });
  const body = Buffer.concat([iv, cipher.update(claims), cipher.final(), cipher.getAuthTag()]);
  return `session=${body.toString('base64url')}`;
}
