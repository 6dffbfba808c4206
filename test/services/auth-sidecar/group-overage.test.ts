import type { OpenIdSettings } from '../../../services/auth-sidecar/config/settings.js';
import type { Log } from '../../../services/auth-sidecar/operations/log.js';
import { GroupOverage } from '../../../services/auth-sidecar/providers/group-overage.js';
import type { OpenIdTokens } from '../../../services/auth-sidecar/providers/openid-tokens.js';
import { TestDirectory } from '../directory/support/directory.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const counts = [101, 201, 501];
/** The id of the person who is in so many groups, of which the last is `idOf(count)`. */
const personIdOf = (count: number): string => idOf(90_000 + count);

const idp = new TestIdentityProvider();
let app: RecordingApp;
let directory: TestDirectory;
let usersUrl = '';
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  directory = await TestDirectory.start({
    openToAll: true,
    seed: {
      users: counts.map((count) => ({
        id: personIdOf(count),
        displayName: `Person ${String(count)}`,
        userPrincipalName: `p${String(count)}@contoso.example`,
      })),
      groups: Array.from({ length: 501 }, (_, index) => ({
        id: idOf(index + 1),
        displayName: `Group ${String(index + 1)}`,
        members: counts.filter((count) => index < count).map(personIdOf),
      })),
    },
  });
  usersUrl = `${await directory.app.listen({ host: '127.0.0.1', port: 0 })}/v1.0/users`;
}, 120_000);
afterAll(async () => {
  await app.close();
  await idp.close();
  await directory.stop();
});
beforeEach(() => {
  app.clear();
  idp.claims = {};
  idp.user = undefined;
  idp.tokenRequests.length = 0;
});

/** The claims of the directory's token: with more than 200 groups, only where to ask for them. */
function claimsOf(count: number): Record<string, unknown> {
  const groups = Array.from({ length: count }, (_, index) => idOf(index + 1));
  const endpoint = `https://graph.windows.net/t/users/${personIdOf(count)}/getMemberObjects`;
  return {
    oid: personIdOf(count),
    ...(count <= 200
      ? { groups }
      : { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint } } }),
  };
}

interface SidecarSettings {
  readonly allowedGroups?: readonly string[];
  readonly tokenStore?: boolean;
  readonly groups?: string;
  readonly httpSettings?: object;
}
const startSidecar = ({
  allowedGroups,
  tokenStore = false,
  groups = usersUrl,
  httpSettings = {},
}: SidecarSettings) =>
  startUnderTest({
    config: directoryConfig(
      idp,
      { login: { tokenStore: { enabled: tokenStore } }, httpSettings },
      allowedGroups === undefined
        ? {}
        : {
            validation: {
              defaultAuthorizationPolicy: { allowedPrincipals: { groups: allowedGroups } },
            },
          },
    ),
    endpoints: { azureActiveDirectory: { issuer: idp.url, groups } },
    upstream: app.url,
    options: { forwardUserHeaders: true },
  });

const visit = (sidecar: { url: string }, jar: CookieJar, path = '/') =>
  request(sidecar.url, { path, headers: { ...browser, ...cookie(jar) } });
/** The groups in the principal that the app got. */
function principalGroups(): string[] {
  const header = String(app.requests.at(-1)?.headers['x-svc-client-principal']);
  const { claims } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
    claims: { typ: string; val: string }[];
  };
  return claims.filter(({ typ }) => typ === 'groups').map(({ val }) => val);
}
const omittedHeader = () => app.requests.at(-1)?.headers['x-svc-client-principal-omitted'];
const forwardedGroups = () => String(app.requests.at(-1)?.headers['x-forwarded-groups']).split(',');

describe.each(counts)('a person in %i groups', (count) => {
  test('is let in by the last of them, and the app gets those that a rule names', async () => {
    const sidecar = await startSidecar({ allowedGroups: [idOf(count), idOf(999)] });
    idp.claims = claimsOf(count);
    const { jar } = await signIn(sidecar, idp);
    expect((await visit(sidecar, jar)).status).toBe(200);
    expect(principalGroups()).toEqual([idOf(count)]);
    expect(omittedHeader()).toContain('groups');
    expect(forwardedGroups()).toContain(idOf(count));
    await sidecar.stop();
  });

  test('is refused by a group that is none of them', async () => {
    const sidecar = await startSidecar({ allowedGroups: [idOf(999)] });
    idp.claims = claimsOf(count);
    expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(403);
    await sidecar.stop();
  });

  test('keeps all of them with the session, where the token store is on', async () => {
    const sidecar = await startSidecar({ allowedGroups: [idOf(1)], tokenStore: true });
    idp.claims = claimsOf(count);
    const { jar } = await signIn(sidecar, idp);
    const [me] = JSON.parse((await visit(sidecar, jar, '/.auth/me')).body) as [
      { user_claims: { typ: string }[] },
    ];
    expect(me.user_claims.filter(({ typ }) => typ === 'groups')).toHaveLength(count);
    await sidecar.stop();
  });
});

test('the app asks the directory with a token of its own', async () => {
  const sidecar = await startSidecar({});
  idp.claims = claimsOf(201);
  await signIn(sidecar, idp);
  await signIn(sidecar, idp);
  const clientCredentialRequests = idp.tokenRequests.filter(
    (form) => form.get('grant_type') === 'client_credentials',
  );
  expect(clientCredentialRequests.map((form) => form.get('scope'))).toEqual([
    `${new URL(usersUrl).origin}/.default`,
  ]);
  await sidecar.stop();
});

test('groups are cached for the person of one tenant, and logged when they are looked up', async () => {
  const tokenEndpoint = 'https://login.example/common/oauth2/v2.0/token';
  const openIdTokens = {
    metadata: { get: () => Promise.resolve({ tokenEndpoint }) },
    tokenEndpoint: {
      redeem: (metadata: { tokenEndpoint: string }) =>
        Promise.resolve({ accessToken: metadata.tokenEndpoint.split('/')[3] }),
    },
  } as unknown as OpenIdTokens;
  const info = vi.fn();
  const overage = new GroupOverage(
    { flavor: 'directory', directoryUsersUrl: 'https://graph.example/users' } as OpenIdSettings,
    openIdTokens,
    (_url, { headers }) =>
      Promise.resolve({ status: 200, text: '', body: { value: [headers?.['authorization']] } }),
    () => 0,
    { info } as unknown as Log,
  );
  const groupsIn = async (tid: string) => {
    const claims = { oid: idOf(1), tid, hasgroups: true };
    const { groups } = await overage.withAllGroups(
      claims,
      () => true,
      AbortSignal.timeout(1000),
      'cached',
    );
    return groups;
  };
  expect(await groupsIn('tenant-a')).toEqual(['Bearer tenant-a']);
  expect(await groupsIn('tenant-b')).toEqual(['Bearer tenant-b']);
  expect(await groupsIn('tenant-a')).toEqual(['Bearer tenant-a']);
  expect(info).toHaveBeenCalledTimes(2);
});

test('with httpSettings.forwardedGroups: named the app never gets others', async () => {
  const sidecar = await startSidecar({
    allowedGroups: [idOf(2)],
    httpSettings: { forwardedGroups: 'named' },
  });
  idp.claims = { oid: personIdOf(101), groups: [idOf(1), idOf(2)] };
  const { jar } = await signIn(sidecar, idp);
  await visit(sidecar, jar);
  expect([principalGroups(), forwardedGroups(), omittedHeader()]).toEqual([
    [idOf(2)],
    [idOf(2)],
    undefined,
  ]);
  await sidecar.stop();
});

test('groups that can not be looked up admit no one by a rule, and say so; without a rule the person gets in', async () => {
  const groups = 'http://127.0.0.1:9/v1.0/users';
  const withRule = await startSidecar({ allowedGroups: [idOf(1)], groups });
  idp.claims = claimsOf(201);
  const { callbackAnswer } = await signIn(withRule, idp);
  expect(callbackAnswer.status).toBe(502);
  expect(callbackAnswer.body).toContain('did not say in which groups you are');
  await withRule.stop();
  const withoutRule = await startSidecar({ groups });
  const { jar } = await signIn(withoutRule, idp);
  expect((await visit(withoutRule, jar)).status).toBe(200);
  await withoutRule.stop();
});

describe('a custom provider', () => {
  const config = (validation: object, globalValidation = {}) => ({
    globalValidation,
    identityProviders: {
      customOpenIdConnectProviders: {
        staff: {
          registration: {
            clientId: idp.clientId,
            clientCredential: { clientSecretSettingName: 'directory-secret' },
            openIdConnectConfiguration: { issuer: idp.url },
          },
          validation,
        },
      },
    },
  });

  test('is asked for groups that its token only refers to', async () => {
    const sidecar = await startUnderTest({
      config: config({ allowedGroups: ['writers'] }),
      upstream: app.url,
    });
    idp.claims = { _claim_names: { groups: 'src1' } };
    idp.user = { sub: 'subject-1', groups: ['readers', 'writers'] };
    expect((await signIn(sidecar, idp, '/.auth/login/staff')).callbackAnswer.status).toBe(302);
    idp.user = { sub: 'subject-1', groups: ['readers'] };
    expect((await signIn(sidecar, idp, '/.auth/login/staff')).callbackAnswer.status).toBe(403);
    // what it says of somebody else counts for nothing (OpenID Connect Core 5.3.2)
    idp.user = { sub: 'subject-2', groups: ['writers'] };
    expect((await signIn(sidecar, idp, '/.auth/login/staff')).callbackAnswer.status).toBe(502);
    await sidecar.stop();
  });

  test('is asked for what a header about the user needs', async () => {
    const sidecar = await startUnderTest({
      config: config({}),
      upstream: app.url,
      options: { forwardUserHeaders: true },
    });
    idp.user = { sub: 'subject-1', email: 'a@c.example', email_verified: true, groups: ['g'] };
    const { jar } = await signIn(sidecar, idp, '/.auth/login/staff');
    await visit(sidecar, jar);
    expect(app.requests.at(-1)?.headers).toMatchObject({
      'x-forwarded-email': 'a@c.example',
      'x-forwarded-groups': 'g',
    });
    await sidecar.stop();
  });

  test('is asked whether an address is verified, and its own address counts then', async () => {
    const domains = { allowedEmailDomains: ['corp.example'] };
    const sidecar = await startUnderTest({ config: config({}, domains), upstream: app.url });
    const signInStatus = async () =>
      (await signIn(sidecar, idp, '/.auth/login/staff')).callbackAnswer.status;
    idp.claims = { email: 'ada@corp.example' };
    idp.user = { sub: 'subject-1', email: 'ada@corp.example', email_verified: true };
    expect(await signInStatus()).toBe(302);
    idp.user = { sub: 'subject-1', email: 'ada@evil.example', email_verified: true };
    expect(await signInStatus()).toBe(403);
    await sidecar.stop();
  });
});
