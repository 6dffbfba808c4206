import {
  azureCliCredential,
  clientSecretCredential,
  credentialFromEnvironment,
  managedIdentityCredential,
  cacheTokens,
  staticToken,
} from '../../../clients/common/index.js';

const scope = 'https://api.example/.default';
const json = (body: unknown, status = 200): Promise<Response> =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

describe('a client secret', () => {
  it('is exchanged at the token endpoint once, for as long as the token lasts', async () => {
    const calls: { url: string; body: string }[] = [];
    const credential = clientSecretCredential({
      tenantId: 't',
      clientId: 'c',
      clientSecret: 's&cret',
      authority: 'https://login.example/',
      fetch: (url, { body }) => {
        calls.push({ url, body: String(body as URLSearchParams) });
        return json({ access_token: 'token', expires_in: 3600 });
      },
    });
    const tokens = await Promise.all([credential.getToken(scope), credential.getToken(scope)]);
    expect(tokens.map(({ token }) => token)).toEqual(['token', 'token']);
    expect(calls).toEqual([
      {
        url: 'https://login.example/t/oauth2/v2.0/token',
        body: 'grant_type=client_credentials&client_id=c&client_secret=s%26cret&scope=https%3A%2F%2Fapi.example%2F.default',
      },
    ]);
  });

  it('that is refused is CAS5004 with the words of the endpoint, and never the secret', async () => {
    const credential = clientSecretCredential({
      tenantId: 't',
      clientId: 'c',
      clientSecret: 'hush',
      fetch: () => json({ error: 'invalid_client', error_description: 'no' }, 401),
    });
    await expect(credential.getToken(scope)).rejects.toMatchObject({
      code: 'CAS5004',
      message: expect.stringContaining('invalid_client: no') as string,
    });
    await expect(credential.getToken(scope)).rejects.not.toThrow('hush');
  });
});

describe('remembered tokens', () => {
  it('are renewed five minutes before they end, and forgotten when a service refuses them', async () => {
    let now = 0;
    let issued = 0;
    const source = {
      getToken: () =>
        Promise.resolve({ token: `t${++issued}`, expiresAt: new Date(now + 3_600_000) }),
    };
    const credential = cacheTokens(source, () => new Date(now));
    const nextToken = async (): Promise<string> => (await credential.getToken(scope)).token;
    expect([await nextToken(), await nextToken()]).toEqual(['t1', 't1']);
    now = 3_600_000 - 299_000;
    expect(await nextToken()).toBe('t2');
    credential.forget?.(scope);
    expect(await nextToken()).toBe('t3');
  });

  it('end the wait of an aborted caller only', async () => {
    let resolveToken: (token: { token: string }) => void = () => undefined;
    const credential = cacheTokens({
      getToken: () => new Promise((done) => (resolveToken = done)),
    });
    const controller = new AbortController();
    const aborted = credential.getToken(scope, controller.signal);
    const other = credential.getToken(scope);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    resolveToken({ token: 'late' });
    expect((await other).token).toBe('late');
  });

  it('do not remember a failure', async () => {
    let calls = 0;
    const credential = cacheTokens({
      getToken: () =>
        ++calls === 1 ? Promise.reject(new Error('down')) : Promise.resolve({ token: 'ok' }),
    });
    await expect(credential.getToken(scope)).rejects.toThrow('down');
    expect((await credential.getToken(scope)).token).toBe('ok');
  });
});

describe('a managed identity', () => {
  it('is asked for by resource with the header of the platform', async () => {
    const requests: { url: string; header: string | null }[] = [];
    const credential = managedIdentityCredential({
      env: { IDENTITY_ENDPOINT: 'http://127.0.0.1:1/msi/token', IDENTITY_HEADER: 'h' },
      clientId: 'c',
      fetch: (url, { headers }) => {
        requests.push({ url, header: new Headers(headers).get('x-identity-header') });
        return json({ access_token: 'token', expires_on: '4102444800' });
      },
    });
    expect(await credential.getToken(scope)).toEqual({
      token: 'token',
      expiresAt: new Date('2100-01-01T00:00:00Z'),
    });
    expect(requests).toEqual([
      {
        url: 'http://127.0.0.1:1/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fapi.example&client_id=c',
        header: 'h',
      },
    ]);
  });
  it('is missing where the platform has none', async () => {
    for (const env of [{}, { IDENTITY_ENDPOINT: '', IDENTITY_HEADER: '' }])
      await expect(managedIdentityCredential({ env }).getToken(scope)).rejects.toMatchObject({
        code: 'CAS5004',
      });
  });
});

describe('the az CLI', () => {
  it('is run for the resource of the scope', async () => {
    const runs: string[][] = [];
    const run = (file: string, args: readonly string[]): Promise<string> => {
      runs.push([file, ...args]);
      return Promise.resolve(
        '{"accessToken":"token","expires_on":4102444800,"tokenType":"Bearer"}',
      );
    };
    expect((await azureCliCredential({ run, tenantId: 't' }).getToken(scope)).token).toBe('token');
    expect(runs).toEqual([
      [
        'az',
        'account',
        'get-access-token',
        '--output',
        'json',
        '--resource',
        'https://api.example',
        '--tenant',
        't',
      ],
    ]);
  });
  it.each([
    [
      () => Promise.reject(new Error('Please run az login\nmore')),
      'az gave no token: Please run az login',
    ],
    [
      () => Promise.reject(Object.assign(new Error('spawn az ENOENT'), { code: 'ENOENT' })),
      'az gave no token: it is not installed',
    ],
    [() => Promise.resolve('not json'), 'not JSON'],
    [() => Promise.resolve('{}'), "without 'accessToken'"],
  ])('that fails is CAS5004 (%#)', async (run, message) => {
    await expect(azureCliCredential({ run }).getToken(scope)).rejects.toMatchObject({
      code: 'CAS5004',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('the environment', () => {
  const credentialOf = (
    env: Record<string, string>,
    endpoint = 'https://api.example',
  ): ReturnType<typeof credentialFromEnvironment> => credentialFromEnvironment({ env, endpoint });
  it('gives a token as it is', async () =>
    expect(await credentialOf({ CASTELLAN_TOKEN: 'x' })?.getToken(scope)).toEqual(
      await staticToken('x').getToken(scope),
    ));
  it('takes an empty variable for one that is not set', () => {
    const emptyVariables = { AZURE_CLIENT_ID: '', AZURE_CLIENT_SECRET: '', AZURE_TENANT_ID: '' };
    expect(credentialOf(emptyVariables, 'http://127.0.0.1:8080')).toBeUndefined();
    const setVariables = { ARM_CLIENT_ID: 'c', ARM_CLIENT_SECRET: 's', ARM_TENANT_ID: 't' };
    expect(
      credentialOf({ ...emptyVariables, ...setVariables }, 'http://127.0.0.1:8080'),
    ).toBeDefined();
  });
  it('needs no credential for loopback over plain HTTP, unlike for other addresses', () => {
    expect(credentialOf({}, 'http://127.0.0.1:8080')).toBeUndefined();
    expect(credentialOf({}, 'http://localhost:8080')).toBeUndefined();
    expect(credentialOf({}, 'http://example.com')).toBeDefined();
    expect(
      credentialOf(
        { IDENTITY_ENDPOINT: 'http://127.0.0.1:1', IDENTITY_HEADER: 'h' },
        'http://127.0.0.1:8080',
      ),
    ).toBeDefined();
  });
});
