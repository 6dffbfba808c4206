import { type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, type RawAnswer, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
const headers = { ...browser, Host: 'app.example' };
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({
    config: {
      identityProviders: {
        apple: {
          login: { scopes: ['name', 'email'] },
          registration: { clientId: 'client-1', clientSecretSettingName: 'directory-secret' },
        },
      },
    },
    upstream: app.url,
    endpoints: { apple: { issuer: idp.url } },
    options: { publicOrigins: ['https://app.example'] },
  });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});

async function beginSignIn(): Promise<{ jar: CookieJar; form: string; setCookie: string }> {
  const jar = new CookieJar();
  const loginResponse = await request(sidecar.url, {
    path: '/.auth/login/apple?post_login_redirect_uri=%2Fdeep',
    headers,
  });
  jar.take(loginResponse);
  const location = new URL(loginResponse.headers['location']?.[0] ?? '');
  expect(location.searchParams.get('response_mode')).toBe('form_post');
  return {
    jar,
    form: new URL(idp.authorize(location)).search.slice(1),
    setCookie: loginResponse.headers['set-cookie']?.[0] ?? '',
  };
}

/** The callback as the provider's page makes a browser send it: a form, from another site. */
function postCallback(
  form: string,
  cookies: string,
  additionalHeaders: Record<string, string> = {},
): Promise<RawAnswer> {
  return request(sidecar.url, {
    method: 'POST',
    path: '/.auth/login/apple/callback',
    headers: {
      ...headers,
      Origin: 'https://appleid.apple.com',
      'Sec-Fetch-Site': 'cross-site',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(cookies !== '' && { Cookie: cookies }),
      ...additionalHeaders,
    },
    body: form,
  });
}

describe('a provider that answers by a form post', () => {
  test('signs in from its own site: only the cookie of the sign-in is sent with foreign forms', async () => {
    const { jar, form, setCookie } = await beginSignIn();
    expect(setCookie).toMatch(/^__Host-SvcAuthLogin\..*; HttpOnly; SameSite=None; Secure$/);
    const callbackAnswer = await postCallback(form, jar.header);
    expect([callbackAnswer.status, callbackAnswer.headers['location']]).toEqual([302, ['/deep']]);
    expect(callbackAnswer.headers['set-cookie']?.find((each) => each.includes('Session='))).toMatch(
      /SameSite=Lax; Secure$/,
    );
    jar.take(callbackAnswer);
    // Someone who is signed in signs in again: the session's cookie is no reason to refuse the
    // form.
    const secondSignIn = await beginSignIn();
    expect(
      (await postCallback(secondSignIn.form, `${jar.header}; ${secondSignIn.jar.header}`)).status,
    ).toBe(302);
  });

  test('signs no one in without the cookie of the sign-in, a second time, or with repeated parameters', async () => {
    const { jar, form } = await beginSignIn();
    expect((await postCallback(form, '')).status).toBe(401);
    expect((await postCallback(`${form}&state=other`, jar.header)).status).toBe(400);
    expect((await postCallback(form, jar.header)).status).toBe(302);
    expect((await postCallback(form, jar.header)).status).toBe(401);
    expect((await postCallback('x'.repeat(300_000), jar.header)).status).toBe(413);
    expect((await postCallback('%zz=%&state=%', jar.header)).status).toBe(401);
  });
});
