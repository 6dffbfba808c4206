import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { parseServeOptions } from '../../../sandbox/serve/options.js';
import { type RunningServices, serve } from '../../../sandbox/serve/serve.js';
import { TestIdentityProvider } from '../../services/auth-sidecar/support/identity-provider.js';
import { forgedTokens, rawToken } from '../../support/forged-tokens.js';

const tenant = '5f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b';
const application = '6f1ab1c2-3d4e-4f50-8a6b-7c8d9e0f1a2b';
const account =
  '00000000-0000-4000-8000-000000000001:00000000-0000-4000-8000-000000000002_2019-05-31';
const transactions = `/providers/Microsoft.Billing/billingAccounts/${account}/invoices/G123456789/transactions?api-version=2024-04-01`;
/** An operation of each service that the good token may use. */
const operations = {
  directory: '/v1.0/groups',
  items: '/v1/workspaces',
  billing: transactions,
  manager: '/subscriptions?api-version=2022-12-01',
};

const idp = new TestIdentityProvider();
let services: RunningServices;
let origin: string;
const folder = mkdtempSync(join(tmpdir(), 'castellan-tokens-'));
beforeAll(async () => {
  await idp.start();
  const seed = join(folder, 'seed.json');
  writeFileSync(
    seed,
    JSON.stringify({
      billing: [{ billingAccount: account, invoice: 'G123456789', transactions: [] }],
    }),
  );
  const flags = {
    database: 'memory:',
    dialect: 'azure',
    throttle: 'off',
    logLevel: 'silent',
    auth: true,
    longRunning: 'never',
  };
  const serviceNames = ['directory', 'items', 'billing', 'resource-manager'];
  services = await serve(
    parseServeOptions(serviceNames, {
      ...flags,
      listen: '127.0.0.1:0',
      issuer: idp.url,
      seed,
      longRunningSeconds: '0',
    }),
  );
  origin = services.origin;
});
afterAll(async () => {
  await services.close();
  await idp.close();
  rmSync(folder, { recursive: true });
});

/** A time so many seconds from now, as tokens state it: in seconds since 1970. */
const secondsFromNow = (offset = 0): number => Math.floor(Date.now() / 1000) + offset;
const goodClaims = (): Record<string, unknown> => ({
  iss: idp.url,
  aud: origin,
  sub: application,
  oid: application,
  appid: 'a',
  tid: tenant,
  idtyp: 'app',
  exp: secondsFromNow(600),
  roles: ['Group.Read.All', 'Workspace.Read.All'],
});
const token = (claims: unknown): string => rawToken(claims, idp.privateKey);

/** What each service answers to an `Authorization` header. */
async function statusesOf(authorization: string, host?: string): Promise<Record<string, number>> {
  const statuses = Object.entries(operations).map(
    async ([name, path]) => [name, await statusOf(path, authorization, host)] as const,
  );
  return Object.fromEntries(await Promise.all(statuses));
}

function statusOf(path: string, authorization: string, host?: string): Promise<number> {
  return new Promise((done, failed) => {
    const outgoing = request(
      `${origin}${path}`,
      { headers: { authorization, ...omitUndefined({ host }) } },
      (answer) => {
        answer.resume().on('end', () => done(answer.statusCode ?? 0));
      },
    );
    outgoing.on('error', failed).end();
  });
}

const everywhere = (status: number): Record<string, number> =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, status]));

it.each<[string, () => Record<string, unknown>]>([
  ['this service alone', () => ({})],
  ['this service with a slash', () => ({ aud: `${origin}/` })],
  ['this service among others', () => ({ aud: ['https://other.example', origin] })],
  ['times from now on', () => ({ nbf: secondsFromNow() })],
  ['callers that sub names alone', () => ({ oid: undefined })],
])('a token for %s is accepted by every service', async (_what, claims) => {
  expect(await statusesOf(`Bearer ${token({ ...goodClaims(), ...claims() })}`)).toEqual(
    everywhere(200),
  );
});

it.each<[string, () => Record<string, unknown>]>([
  ['no audience', () => ({ aud: undefined })],
  ['an audience that begins with ours', () => ({ aud: `${origin}.evil.example` })],
  ['an audience that ours begins with', () => ({ aud: origin.slice(0, -1) })],
  ['an audience below ours', () => ({ aud: `${origin}/app` })],
  ['an audience in capitals', () => ({ aud: origin.toUpperCase() })],
  ['an audience of another scheme', () => ({ aud: origin.replace('http:', 'https:') })],
  ['an audience with a user name', () => ({ aud: origin.replace('//', '//x@') })],
  ['an audience without its scheme', () => ({ aud: origin.replace('http://', '') })],
  ['a list of other audiences', () => ({ aud: [`${origin}x`, 'https://other.example'] })],
  ['a list in the list of audiences', () => ({ aud: [[origin]] })],
  ['an object for an audience', () => ({ aud: { 0: origin } })],
  ['a number for an audience', () => ({ aud: 5 })],
  ['a list of numbers for an audience', () => ({ aud: [5, null] })],
  ['an empty audience', () => ({ aud: '' })],
  ['a slash for an audience', () => ({ aud: '/' })],
  ['an empty list of audiences', () => ({ aud: [] })],
  ['the audience of a client', () => ({ aud: 'api://a' })],
  ['another issuer', () => ({ iss: 'https://other.example' })],
  ['the issuer of another tenant', () => ({ iss: `${idp.url}/${tenant}/v2.0` })],
  ['the issuer with a slash', () => ({ iss: `${idp.url}/` })],
  ['the issuer in a list', () => ({ iss: [idp.url] })],
  ['no issuer', () => ({ iss: undefined })],
  ['no expiry', () => ({ exp: undefined })],
  ['an expiry that is now', () => ({ exp: secondsFromNow() })],
  ['an expiry that is a text', () => ({ exp: String(secondsFromNow(600)) })],
  ['an expiry that is null', () => ({ exp: null })],
  ['a start in the future', () => ({ nbf: secondsFromNow(60) })],
  ['a start that is a text', () => ({ nbf: String(secondsFromNow(-60)) })],
  ['no caller', () => ({ oid: undefined, sub: undefined, appid: undefined })],
  ['callers of other types', () => ({ oid: 5, sub: [application], appid: {} })],
])('a token with %s is refused by every service', async (_what, claims) => {
  expect(await statusesOf(`Bearer ${token({ ...goodClaims(), ...claims() })}`)).toEqual(
    everywhere(401),
  );
});

it.each(forgedTokens(goodClaims, () => idp.privateKey))(
  'a token with %s is refused by every service',
  async (_what, make) => {
    expect(await statusesOf(`Bearer ${await make()}`)).toEqual(everywhere(401));
  },
);

it.each([
  '',
  'Bearer',
  'Basic {}',
  '{}',
  'Bearer {}, Bearer {}',
  'Bearer {} {}',
  'Bearer: {}',
  'Token {}',
])('the header %j is refused by every service', async (form) => {
  expect(await statusesOf(form.replaceAll('{}', token(goodClaims())))).toEqual(everywhere(401));
});

it('a token for another service is refused whatever host the request names', async () => {
  for (const host of [
    'other.example',
    'other.example:443',
    'localhost.other.example',
    '127.0.0.1.other.example',
    '10.255.255.254',
  ])
    expect(
      await statusesOf(`Bearer ${token({ ...goodClaims(), aud: `http://${host}` })}`, host),
    ).toEqual(everywhere(401));
  const alias = origin.replace('127.0.0.1', 'localhost');
  expect(
    await statusesOf(`Bearer ${token({ ...goodClaims(), aud: alias })}`, new URL(alias).host),
  ).toEqual(everywhere(200));
});

it.each<[string, () => Record<string, unknown>]>([
  ['permissions in a text', () => ({ roles: 'Group.Read.All' })],
  ['permissions in an object', () => ({ roles: { 0: 'Group.Read.All' } })],
  ['permissions in a list in the list', () => ({ roles: [['Group.Read.All']] })],
  ['permissions in lower case', () => ({ roles: ['group.read.all'] })],
  ['permissions of an application in the token of a person', () => ({ idtyp: 'user' })],
  [
    'permissions of an application whose object id is not the subject',
    () => ({ idtyp: undefined, sub: 'other' }),
  ],
  ['scopes in a list', () => ({ idtyp: undefined, roles: undefined, scp: ['Group.Read.All'] })],
  [
    'scopes with commas',
    () => ({ idtyp: undefined, roles: undefined, scp: 'Group.Read.All,User.Read' }),
  ],
  [
    'permissions from the tenant of personal accounts',
    () => ({ tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }),
  ],
])('%s give no access to the directory', async (_what, claims) => {
  expect(
    await statusOf(operations.directory, `Bearer ${token({ ...goodClaims(), ...claims() })}`),
  ).toBe(403);
});
