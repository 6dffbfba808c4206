import { createCipheriv, randomBytes } from 'node:crypto';
import type { TestIdentityProvider } from '../../test/services/auth-sidecar/support/identity-provider.js';
import {
  browser,
  CookieJar,
  request,
} from '../../test/services/auth-sidecar/support/raw-client.js';

/** The claims of a person, more than a handful, which each proxy has to carry. */
export const usualClaims = {
  oid: '8a0d3f5e-1c5b-4b3f-9d0e-0f1d2c3b4a59',
  tid: '3f1c9a52-0b7e-4d6a-8f21-6c5d4e3b2a10',
  email: 'ada@example.com',
  preferred_username: 'ada@example.com',
  given_name: 'Ada',
  family_name: 'Lovelace',
  roles: ['reader', 'writer'],
  groups: ['f47ac10b-58cc-4372-a567-0e02b2c3d479', '9b2d7a4e-3c51-4e7f-8d26-5a1b0c9e8f73'],
  ver: '2.0',
  uti: 'kd93jd02kfA',
  rh: '0.AQEAv4j5cvGGr0GRqy180BHbR',
  aio: 'AVQAq/8TAAAAX8x',
} as const;

/**
 * Signs in through the provider like a browser.
 *
 * @param from the path of the first request.
 * @returns the `Cookie` header of the session
 */
export async function signIn(
  url: string,
  idp: TestIdentityProvider,
  from = '/small',
): Promise<string> {
  const jar = new CookieJar();
  let path = from;
  for (let step = 0; step < 6; step++) {
    const answer = await request(url, {
      path,
      headers: { ...browser, ...(jar.header !== '' && { Cookie: jar.header }) },
    });
    jar.take(answer);
    if (answer.status === 200) return jar.header;
    const location = new URL(answer.headers['location']?.[0] ?? '', url);
    const target = location.origin === idp.url ? new URL(idp.authorize(location)) : location;
    path = target.pathname + target.search;
  }
  throw new Error(`no sign-in at ${url}`);
}

/** The cookie that bench/sidecar/auth-server.ts decrypts. */
export function sealedCookie(key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const claims = JSON.stringify({
    sub: 'subject-1',
    name: 'Ada Lovelace',
    filler: 'x'.repeat(250),
  });
  const body = Buffer.concat([iv, cipher.update(claims), cipher.final(), cipher.getAuthTag()]);
  return `session=${body.toString('base64url')}`;
}
