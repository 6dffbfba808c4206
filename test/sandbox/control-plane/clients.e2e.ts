import { ContainerAppsAPIClient } from '@azure/arm-appcontainers';
import { ClientSecretCredential } from '@azure/identity';
import { Client } from '@microsoft/microsoft-graph-client';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientSecretCredential, fetchTrusting } from '../../../clients/common/index.js';
import {
  createResourceManagerClient,
  resourceGroupId,
  resourceId,
} from '../../../clients/resource-manager/index.js';
import { people, startSandbox, type TestSandbox } from '../e2e-support.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const createManagerClient = () => {
  const { tenantId, clientId, clientSecret } = sandbox.settings;
  const credential = clientSecretCredential({
    tenantId,
    clientId,
    clientSecret,
    authority: sandbox.origin,
    ca: sandbox.ca,
  });
  return createResourceManagerClient({ baseUrl: sandbox.origin, credential, ca: sandbox.ca });
};

/**
 * @claim client-apps: The SDKs sign in by a client secret, and create, change, stop, start and
 *   delete environments, apps and jobs.
 * @source https://learn.microsoft.com/javascript/api/overview/azure/arm-appcontainers-readme
 * @seen azure-identity, arm-appcontainers
 */
test("the cloud's own SDK signs in and manages apps", async () => {
  const { tenantId, clientId, clientSecret, subscriptionId } = sandbox.settings;
  await createManagerClient().resourceGroups.createOrUpdate(
    resourceGroupId(subscriptionId, 'sdk'),
    {
      location: 'westeurope',
    },
  );
  const tlsOptions = { ca: sandbox.ca };
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost: sandbox.origin,
    disableInstanceDiscovery: true,
    tlsOptions,
  });
  const apps = new ContainerAppsAPIClient(credential, subscriptionId, {
    endpoint: sandbox.origin,
    credentialScopes: [`${sandbox.origin}/.default`],
    credentials: { scopes: [`${sandbox.origin}/.default`] },
    tlsOptions,
  } as ConstructorParameters<typeof ContainerAppsAPIClient>[2]);
  const environment = await apps.managedEnvironments.beginCreateOrUpdateAndWait('sdk', 'env', {
    location: 'westeurope',
  });
  expect(environment.provisioningState).toBe('Succeeded');
  const app = await apps.containerApps.beginCreateOrUpdateAndWait('sdk', 'sdk-app', {
    location: 'westeurope',
    managedEnvironmentId: environment.id as string,
    configuration: {
      ingress: { external: true, targetPort: 80 },
      secrets: [{ name: 'one', value: 's3cret' }],
    },
    template: {
      containers: [{ name: 'c', image: 'img:1', resources: { cpu: 0.5, memory: '1Gi' } }],
    },
  });
  expect(app.configuration?.ingress?.fqdn).toBe(`sdk-app.localhost:${sandbox.settings.port}`);
  expect(await apps.containerApps.listSecrets('sdk', 'sdk-app')).toMatchObject({
    value: [{ name: 'one', value: 's3cret' }],
  });
  const auth = await apps.containerAppsAuthConfigs.createOrUpdate('sdk', 'sdk-app', 'current', {
    platform: { enabled: false },
  });
  expect(auth.platform).toEqual({ enabled: false });
  const patched = await apps.containerApps.beginUpdateAndWait('sdk', 'sdk-app', {
    location: 'westeurope',
    tags: { a: 'b' },
  });
  expect(patched?.tags).toEqual({ a: 'b' });
  const { value: revision } = await apps.containerAppsRevisions
    .listRevisions('sdk', 'sdk-app')
    .next();
  expect(revision).toMatchObject({
    name: app.latestRevisionName,
    active: true,
    trafficWeight: 100,
  });
  expect(
    await apps.containerAppsRevisions.getRevision(
      'sdk',
      'sdk-app',
      app.latestRevisionName as string,
    ),
  ).toEqual(revision);
  expect((await apps.containerApps.beginStopAndWait('sdk', 'sdk-app')).runningStatus).toBe(
    'Stopped',
  );
  expect((await apps.containerApps.beginStartAndWait('sdk', 'sdk-app')).runningStatus).toBe(
    'Running',
  );
  expect((await apps.containerApps.getAuthToken('sdk', 'sdk-app')).expires).toBeInstanceOf(Date);
  await apps.jobs.beginCreateOrUpdateAndWait('sdk', 'sdk-job', {
    location: 'westeurope',
    environmentId: environment.id as string,
    configuration: { triggerType: 'Manual', replicaTimeout: 60 },
    template: { containers: [{ name: 'c', image: 'img:1' }] },
  });
  const execution = await apps.jobs.beginStartAndWait('sdk', 'sdk-job');
  const { value: listedExecution } = await apps.jobsExecutions.list('sdk', 'sdk-job').next();
  expect(listedExecution).toMatchObject({
    name: execution.name,
    status: 'Succeeded',
    startTime: expect.any(Date),
  });
  await apps.jobs.beginStopExecutionAndWait('sdk', 'sdk-job', execution.name as string);
  const names: (string | undefined)[] = [];
  for await (const each of apps.containerApps.listBySubscription()) names.push(each.name);
  expect(names).toEqual(['sdk-app']);
  await expect(
    apps.containerApps.beginCreateOrUpdateAndWait('sdk', 'Bad', { location: 'westeurope' }),
  ).rejects.toMatchObject({
    code: 'ContainerAppInvalidName',
    statusCode: 400,
  });
  await apps.containerApps.beginDeleteAndWait('sdk', 'sdk-app');
  await expect(apps.containerApps.get('sdk', 'sdk-app')).rejects.toMatchObject({
    code: 'ResourceNotFound',
    statusCode: 404,
  });
});

test('the client of Castellan manages groups, workspaces and identities, and reports a missing resource as undefined', async () => {
  const { subscriptionId } = sandbox.settings;
  const client = createManagerClient();
  const group = resourceGroupId(subscriptionId, 'own');
  await client.resourceGroups.createOrUpdate(group, { location: 'westeurope' });
  const workspace = resourceId(
    subscriptionId,
    'own',
    'Microsoft.OperationalInsights/workspaces',
    'logs',
  );
  expect(await client.logWorkspaces.find(workspace)).toBeUndefined();
  const created = await client.logWorkspaces.createOrUpdate(workspace, {
    location: 'westeurope',
    properties: { sku: { name: 'PerGB2018' } },
  });
  expect(created.properties?.customerId).toMatch(/^[0-9a-f-]{36}$/);
  expect((await client.logWorkspaces.sharedKeys(workspace)).primarySharedKey).not.toBe('');
  await client.logWorkspaces.delete(workspace);
  await client.logWorkspaces.delete(workspace);
  const identity = resourceId(
    subscriptionId,
    'own',
    'Microsoft.ManagedIdentity/userAssignedIdentities',
    'id1',
  );
  await client.identities.createOrUpdate(identity, { location: 'westeurope' });
  const contents = [];
  for await (const each of client.resourceGroups.contents(group)) contents.push(each.name);
  expect(contents).toEqual(['id1']);
  await client.resourceGroups.delete(group);
  expect(await client.identities.find(identity)).toBeUndefined();
});

/**
 * @claim client-people: The client reads people with a token of the identity provider.
 * @source https://learn.microsoft.com/graph/sdks/choose-authentication-providers
 * @seen graph-client
 */
test("the directory returns people of the seed to the cloud's own directory client", async () => {
  writeFileSync(join(sandbox.folder, 'ca.pem'), sandbox.ca);
  const send = fetchTrusting(sandbox.ca);
  const graph = Client.initWithMiddleware({
    baseUrl: sandbox.origin,
    defaultVersion: 'v1.0',
    middleware: {
      async execute(context) {
        const headers = {
          ...(context.options?.headers as object),
          authorization: `Bearer ${await sandbox.token(`${sandbox.origin}/.default`)}`,
        };
        context.response = await send(String(context.request), {
          ...(context.options as RequestInit),
          headers,
        });
      },
    },
  });
  const { value } = (await graph.api('/users').select('id,displayName').get()) as {
    value: { id: string }[];
  };
  expect(value.map(({ id }) => id).sort()).toEqual(Object.values(people).sort());
});

/**
 * @claim local-addresses: A web application may return to https://localhost, at the port that it
 *   registered.
 * @source https://learn.microsoft.com/entra/identity-platform/reply-url
 */
test('a sign-in may return to an application at https://localhost, and to no other address', async () => {
  const redirectUri = 'https://localhost:5001/signin-oidc';
  const { body: app } = await sandbox.api('POST', '/v1.0/applications', {
    displayName: 'Local',
    web: { redirectUris: [redirectUri, 'https://local.example/signin-oidc'] },
  });
  const authorize = (redirect_uri: string) => {
    const query = { client_id: app.appId, redirect_uri, response_type: 'code', scope: 'openid' };
    const address = new URL(`${sandbox.origin}/${sandbox.settings.tenantId}/oauth2/v2.0/authorize`);
    address.search = new URLSearchParams(query).toString();
    return sandbox.send('GET', address.href);
  };
  const answer = await authorize(redirectUri);
  expect([answer.status, answer.headers['location']]).toEqual([
    303,
    expect.stringContaining('/sign-in/'),
  ]);
  expect((await authorize('https://localhost:5001/other')).status).toBe(400);
});

/**
 * @claim offline-access: The scope offline_access gives a refresh token, without prompt=consent.
 * @source https://learn.microsoft.com/entra/identity-platform/scopes-oidc
 */
test('a client that requests offline_access gets a refresh token, and new tokens for it', async () => {
  const { tokensForScope, exchange } = await registerWebClient('Offline');
  expect(await tokensForScope('openid')).not.toHaveProperty('refresh_token');
  const { refresh_token } = await tokensForScope('openid offline_access');
  const refreshed = await exchange({ grant_type: 'refresh_token', refresh_token });
  expect(refreshed).toMatchObject({
    access_token: expect.any(String),
    id_token: expect.any(String),
  });
});

/**
 * @claim delegated-scopes: An access token names the scopes that were requested of its API.
 * @source https://learn.microsoft.com/entra/identity-platform/scopes-oidc
 */
test('an access token has the requested scopes, of the directory or of an API, and keeps them', async () => {
  const { appId, tokensForScope, exchange } = await registerWebClient('Scopes');
  const claimsOf = (token: string) => {
    const { aud, scp } = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { aud: string; scp: string };
    return [aud, scp];
  };
  const directoryScopes = 'openid profile email User.Read';
  for (const [scope, audience, scp] of [
    ['User.Read', 'https://graph.microsoft.com', directoryScopes],
    ['openid', 'https://graph.microsoft.com', directoryScopes],
    [
      'https://graph.microsoft.com/Group.Read.All Mail.Read',
      'https://graph.microsoft.com',
      `${directoryScopes} Group.Read.All Mail.Read`,
    ],
    ['api://orders/read api://orders/write', 'api://orders', 'read write'],
    [`api://${appId}/read`, appId, 'read'],
    [`${appId}/.default`, appId, 'user_impersonation'],
  ] as const) {
    const tokens = await tokensForScope(`openid offline_access ${scope}`);
    expect(claimsOf(tokens.access_token)).toEqual([audience, scp]);
    const { refresh_token } = tokens;
    const refresh = async (form: Record<string, string>) => {
      const refreshed = await exchange({ grant_type: 'refresh_token', refresh_token, ...form });
      return claimsOf(refreshed.access_token);
    };
    expect(await refresh({})).toEqual([audience, scp]);
    expect(await refresh({ scope: 'openid offline_access' })).toEqual([audience, scp]);
    expect(await refresh({ scope: 'openid https://example.org/Files.Read' })).toEqual([
      'https://example.org',
      'Files.Read',
    ]);
  }
});

/** Registers an application that signs Ada in, with a secret. */
async function registerWebClient(displayName: string) {
  const { tenantId } = sandbox.settings;
  const redirectUri = 'https://web.example/callback';
  const { body: app } = await sandbox.api('POST', '/v1.0/applications', {
    displayName,
    web: { redirectUris: [redirectUri] },
  });
  const { body: password } = await sandbox.api(
    'POST',
    `/v1.0/applications/${app.id}/addPassword`,
    {},
  );
  const exchange = async (form: Record<string, string>) =>
    (
      await sandbox.send('POST', `${sandbox.origin}/${tenantId}/oauth2/v2.0/token`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: app.appId,
          client_secret: password.secretText,
          ...form,
        }).toString(),
      })
    ).body;
  const tokensForScope = async (scope: string) => {
    const code = await signInWithoutPage({
      client_id: app.appId,
      redirect_uri: redirectUri,
      scope,
    });
    return exchange({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  };
  return { appId: String(app.appId), exchange, tokensForScope };
}

/** Follows the redirects of a sign-in of Ada with the cookie of a link. @returns the code */
async function signInWithoutPage(query: Record<string, string>): Promise<string> {
  const authorize = `${sandbox.origin}/${sandbox.settings.tenantId}/oauth2/v2.0/authorize`;
  const cookies = new Map([['castellan-person', people.ada]]);
  let next = new URL(
    `${authorize}?${String(new URLSearchParams({ response_type: 'code', ...query }))}`,
  );
  for (let step = 0; step < 6 && next.origin === sandbox.origin; step++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const { headers } = await sandbox.send('GET', next.href, { headers: { cookie } });
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
      cookies.set(name, value);
    }
    next = new URL(String(headers['location']), next);
  }
  return next.searchParams.get('code') ?? '';
}

/**
 * @claim client-credentials: An application gets a token by its secret, and invalid_client with
 *   a wrong one.
 * @source https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
test('a registered application gets its own token by its secret, and none with a wrong one', async () => {
  const created = await sandbox.api('POST', '/v1.0/applications', { displayName: 'Robot' });
  await sandbox.api('POST', '/v1.0/servicePrincipals', { appId: created.body.appId });
  const password = await sandbox.api(
    'POST',
    `/v1.0/applications/${created.body.id}/addPassword`,
    {},
  );
  const credentials = { client_id: created.body.appId, client_secret: password.body.secretText };
  const token = await sandbox.token('https://api.fabric.microsoft.com/.default', credentials);
  const claims = JSON.parse(
    Buffer.from(token.split('.')[1] as string, 'base64url').toString('utf8'),
  );
  expect(claims).toMatchObject({
    aud: 'https://api.fabric.microsoft.com',
    appid: created.body.appId,
    idtyp: 'app',
    tid: sandbox.settings.tenantId,
  });
  await expect(
    sandbox.token('x/.default', { ...credentials, client_secret: 'wrong' }),
  ).rejects.toThrow('AADSTS7000215');
  const { tenantId } = sandbox.settings;
  for (const [secret, status] of [
    [encodeURIComponent(credentials.client_secret), 200],
    ['100%', 401],
  ] as const) {
    const basic = Buffer.from(`${credentials.client_id}:${secret}`).toString('base64');
    const answer = await sandbox.send('POST', `${sandbox.origin}/${tenantId}/oauth2/v2.0/token`, {
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials&scope=x%2F.default',
    });
    expect([answer.status, answer.body.error]).toEqual([
      status,
      status === 200 ? undefined : 'invalid_client',
    ]);
  }
  const wrongCredential = new ClientSecretCredential(tenantId, credentials.client_id, 'wrong', {
    authorityHost: sandbox.origin,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: sandbox.ca },
  });
  await expect(wrongCredential.getToken('x/.default')).rejects.toThrow(
    /7000215.*Correlation ID: [0-9a-f-]{36} - Trace ID: [0-9a-f-]{36}/,
  );
});
