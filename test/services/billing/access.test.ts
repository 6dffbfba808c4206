import { unrestrictedCaller } from '../../../services/common/caller.js';
import type { TokenVerifier } from '../../../services/common/token-verifier.js';
import { account, invoice, startBilling, type StartedBilling } from './support/start-billing.js';

/**
 * Verifies made-up tokens: `Bearer user:scope scope` or `Bearer application:`, and `Bearer expired`,
 * which has expired.
 */
const tokenVerifier: TokenVerifier = {
  verify(authorization) {
    const [kind = '', scopes = ''] = (authorization ?? '').replace('Bearer ', '').split(':');
    if (kind === '')
      return Promise.resolve({ refusal: 'missing', reason: 'Access token is empty.' });
    if (kind === 'expired')
      return Promise.resolve({ refusal: 'expired', reason: 'The token is expired.' });
    return Promise.resolve({
      caller: {
        ...unrestrictedCaller,
        kind: kind as 'user',
        objectId: authorization ?? '',
        scopes: new Set(scopes.split(' ').filter(Boolean)),
      },
    });
  },
};

describe('who may list transactions', () => {
  let service: StartedBilling;
  beforeAll(async () => {
    service = await startBilling({
      tokenVerifier,
      throttle: true,
      billing: [{ billingAccount: account, invoice, generate: { count: 3, seed: 'a' } }],
    });
  });
  afterAll(() => service.stop());
  const listAs = async (
    authorization: string | undefined,
    query: Record<string, string> = {},
  ): Promise<[number, string | undefined]> => {
    const { status, body } = await service.list(
      query,
      authorization === undefined ? {} : { authorization },
    );
    return [status, body.error?.code as string | undefined];
  };

  it('requires a token before anything else', async () => {
    expect(await listAs(undefined, { top: '99' })).toEqual([401, 'AuthenticationFailed']);
    expect(await listAs('Bearer expired')).toEqual([401, 'ExpiredAuthenticationToken']);
    expect((await service.list(`${service.origin}/providers/Svc.Billing/nowhere`)).status).toBe(
      401,
    );
    expect((await service.list()).headers.get('www-authenticate')).toBe('Bearer');
  });

  /**
   * @claim billing-scope: Tokens of people need the scope user_impersonation.
   * @source https://learn.microsoft.com/rest/api/billing/transactions/list-by-invoice
   */
  it('requires the scope user_impersonation of users', async () => {
    expect(await listAs('Bearer user:user_impersonation')).toEqual([200, undefined]);
    expect(await listAs('Bearer user:Item.Read.All', { top: '99' })).toEqual([
      403,
      'AuthorizationFailed',
    ]);
    expect(await listAs('Bearer application:')).toEqual([200, undefined]);
    expect(await listAs('Bearer application:Item.Read.All')).toEqual([403, 'AuthorizationFailed']);
  });

  it('gives every answer a request id', async () => {
    expect((await service.list()).headers.get('x-svc-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const azure = await startBilling({ dialect: 'azure' });
    expect((await azure.list()).headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await azure.stop();
  });
});
