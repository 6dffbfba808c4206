import type { JWTPayload } from 'jose';
import {
  checkEmailDomain,
  type EmailTrust,
  identityOf,
} from '../../../services/auth-sidecar/session/identity.js';
import { forwardedUserHeaders } from '../../../services/auth-sidecar/session/principal.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const domains = ['contoso.example', '*.fabrikam.example', 'xn--mnchen-3ya.example'];
const isAdmitted = (claims: Record<string, unknown>, trust: EmailTrust = 'usernames'): boolean => {
  const identity = identityOf({ sub: 'x', ...claims });
  if (identity === undefined) throw new Error('the claims name nobody');
  try {
    checkEmailDomain(identity, trust, domains, 'globalValidation.allowedEmailDomains');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 403 });
    return false;
  }
};

test.each([
  [{ email: 'ada@contoso.example' }, true],
  [{ email: 'ADA@Contoso.Example' }, true],
  [{ email: 'ada@eu.fabrikam.example' }, true],
  [{ preferred_username: 'ada@contoso.example' }, true],
  [{ email: 'ada@contoso.example', email_verified: true }, true],
  [{ email: 'ada@contoso.example', email_verified: false }, false],
  [{ email: 'ada@contoso.example', email_verified: 'no' }, false],
  [{ email: 'ada@fabrikam.example' }, false],
  [{ email: `ada@${'a.'.repeat(110)}fabrikam.example` }, true],
  [{ email: `ada@${'a.'.repeat(150)}fabrikam.example` }, false], // no domain is that long
  [{ email: 'ada@notcontoso.example' }, false],
  [{ email: 'ada@contoso.example.evil.example' }, false],
  [{ email: 'ada@eu.contoso.example' }, false],
  [{ email: 'ada@evil.example@contoso.example' }, false],
  [{ email: '"ada@evil.example"@contoso.example' }, false],
  [{ email: 'ada@evil.example, eve@contoso.example' }, false],
  [{ email: 'ada@evil.example\n@contoso.example' }, false],
  [{ email: 'ada@contoso%2Eexample' }, false],
  [{ email: 'ada@contoso.example/.evil.example' }, false],
  [{ email: 'ada@contoso.example?evil.example' }, false],
  [{ email: ['ada@contoso.example'] }, false],
  [{ email: 'ada@MÜNCHEN.example' }, true],
  [{ email: 'ada@xn--mnchen-3ya.example' }, true],
  [{ email: 'ada@contoso.exampl\u212f' }, false],
  [{ email: 'ada@contoso\u3002example' }, false],
  [{ email: 'ada@eu.fabri\u212aam.example' }, false],
  [{ email: 'ada@conto\u00adso.example' }, false],
  [{ email: '@contoso.example' }, false],
  [{ name: 'ada@contoso.example' }, false],
  [{}, false],
])('a person with the claims %j is admitted: %s', (claims, expected) =>
  expect(isAdmitted(claims)).toBe(expected),
);

test('an address from a directory of several tenants is admitted only if it was verified', () => {
  expect(isAdmitted({ email: 'ada@contoso.example' }, 'verified')).toBe(false);
  expect(
    isAdmitted({ preferred_username: 'ada@contoso.example', email_verified: true }, 'verified'),
  ).toBe(false);
  for (const xms_edov of [1, '1', true, 'True'])
    expect(isAdmitted({ email: 'ada@contoso.example', xms_edov }, 'directory')).toBe(true);
  expect(isAdmitted({ email: 'ada@contoso.example', xms_edov: 0 }, 'directory')).toBe(false);
  expect(isAdmitted({ email: 'ada@contoso.example' }, 'directory')).toBe(false);
});

test.each<[Record<string, unknown>, boolean]>([
  [{ preferred_username: 'ceo@contoso.example' }, false],
  [{ preferred_username: 'ceo@contoso.example', email: '' }, false],
  [{ preferred_username: 'ceo@contoso.example', email_verified: true }, false],
  [{ upn: 'ceo@contoso.example', email: 'eve@evil.example' }, false],
  [{ email: 'ada@contoso.example', email_verified: false }, false],
  [{ email: 'ada@contoso.example' }, true],
])(
  'a person with the claims %j of a provider that is trusted for emails is admitted: %s',
  (claims, expected) => expect(isAdmitted(claims, 'unverified')).toBe(expected),
);

test('a sign-in, a posted token and a bearer token are refused in the same way', async () => {
  const sidecar = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: {
        allowedEmailDomains: ['contoso.example'],
        unauthenticatedClientAction: 'Return401',
      },
    }),
    upstream: app.url,
  });
  const outcomes = async (claims: JWTPayload): Promise<number[]> => {
    idp.claims = claims;
    const { callbackAnswer } = await signIn(sidecar, idp);
    idp.claims = {};
    const token = await idp.sign(claims);
    const posted = await request(sidecar.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
    });
    const bearer = await request(sidecar.url, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return [callbackAnswer.status, posted.status, bearer.status];
  };
  expect(await outcomes({ email: 'ada@contoso.example' })).toEqual([302, 200, 200]);
  expect(await outcomes({ email: 'ada@fabrikam.example' })).toEqual([403, 403, 403]);
  await sidecar.stop();
});

test.each([
  'contoso',
  '@contoso.example',
  'contoso.example/',
  '*',
  '*.',
  'a b.example',
  'contoso.example\r\nX: y',
])('%j is no domain', async (domain) => {
  const config = directoryConfig(idp, { globalValidation: { allowedEmailDomains: [domain] } });
  await expect(startUnderTest({ config }).then((started) => started.stop())).rejects.toThrow(
    'globalValidation.allowedEmailDomains.0',
  );
});

describe('X-Forwarded-User, -Email and -Groups', () => {
  const claims = {
    sub: 'subject-1',
    email: 'ada@contoso.example',
    groups: ['writers', 'r&d, people', 'Zürich'],
  };
  const spoofed = {
    'X-Forwarded-User': 'root',
    'X-Forwarded-Email': 'root@x.example',
    'X-Forwarded-Groups': 'admins',
    X_Forwarded_User: 'root',
  };

  test('never come from the client; the sidecar sets them if configured', async () => {
    for (const forwardUserHeaders of [false, true]) {
      const sidecar = await startUnderTest({
        config: directoryConfig(idp, { globalValidation: { excludedPaths: ['/public'] } }),
        upstream: app.url,
        options: { forwardUserHeaders, trustedProxies: ['127.0.0.1'] },
      });
      idp.claims = claims;
      const { jar } = await signIn(sidecar, idp);
      idp.claims = {};
      app.clear();
      await request(sidecar.url, { headers: { ...browser, ...cookie(jar), ...spoofed } });
      await request(sidecar.url, { path: '/public', headers: spoofed });
      expect(app.bytes()).not.toMatch(/root|admins/);
      const [requestOfPerson, requestOfNobody] = app.requests;
      const expectedHeaders = {
        'x-forwarded-user': 'subject-1',
        'x-forwarded-email': 'ada@contoso.example',
        'x-forwarded-groups': 'writers,r&d%2C people,Z%C3%BCrich',
      };
      for (const [name, value] of Object.entries(expectedHeaders)) {
        expect(requestOfPerson?.headers[name]).toBe(forwardUserHeaders ? value : undefined);
        expect(requestOfNobody?.headers[name]).toBeUndefined();
      }
      const check = await request(sidecar.url, {
        path: '/.auth/check',
        headers: { ...cookie(jar), ...spoofed },
      });
      expect(check.headers['x-forwarded-email']).toEqual(
        forwardUserHeaders ? ['ada@contoso.example'] : undefined,
      );
      await sidecar.stop();
    }
  });

  test('contain all groups, or where there is no room those that a rule names', () => {
    const groups = Array.from({ length: 2000 }, (_, index) => `group-${index}`);
    const identity = { id: 'x', name: 'x', claims: { groups } };
    const claimsUsedByRules = {
      groups: ['group-7', 'group-1999'],
      claimNames: [],
      requiredClaimNames: [],
    };
    const headers = (lengthBefore: number, sender = identity) =>
      forwardedUserHeaders({ identity: sender, claimsUsedByRules }, 'x', undefined, lengthBefore);
    expect(headers(1000)).toEqual({
      lines: 'X-Forwarded-User: x\r\nX-Forwarded-Groups: group-7,group-1999\r\n',
      omitted: ['X-Forwarded-Groups'],
    });
    const identityWithFewGroups = { ...identity, claims: { groups: groups.slice(0, 100) } };
    expect(headers(1000, identityWithFewGroups)).toEqual({
      lines: `X-Forwarded-User: x\r\nX-Forwarded-Groups: ${groups.slice(0, 100).join()}\r\n`,
      omitted: [],
    });
  });
});
