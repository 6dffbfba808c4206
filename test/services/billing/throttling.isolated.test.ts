import type * as Throttle from '../../../services/common/throttle.js';
import { systemClock } from '../../../services/common/clock.js';
import { unrestrictedCaller } from '../../../services/common/caller.js';
import type { TokenVerifier } from '../../../services/common/token-verifier.js';
import { account, invoice, startBilling } from './support/start-billing.js';

// Here five requests exhaust the throttle, and it never refills: the real limits would take
// thousands of requests.
vi.mock('../../../services/common/throttle.js', async () => {
  const real = await vi.importActual<typeof Throttle>('../../../services/common/throttle.js');
  const createSmallThrottle = () =>
    real.createThrottle({ burst: 5, perSecond: 0, retryAfterSeconds: 5 }, systemClock);
  return {
    ...real,
    throttleEachOperation: () => real.throttleEachOperation(createSmallThrottle()),
  };
});

/** `Bearer NAME` is the application NAME. */
const tokenVerifier: TokenVerifier = {
  verify: (authorization) =>
    Promise.resolve(
      authorization === undefined
        ? { refusal: 'missing', reason: 'Access token is empty.' }
        : { caller: { ...unrestrictedCaller, kind: 'application', objectId: authorization } },
    ),
};

test('a burst of one caller gets 429 with Retry-After in the billing error shape, and does not affect others', async () => {
  const generate = { count: 3, seed: 'a' };
  const service = await startBilling({
    tokenVerifier,
    throttle: true,
    billing: [{ billingAccount: account, invoice, generate }],
  });
  const listAs = (name: string): ReturnType<typeof service.list> =>
    service.list({}, { authorization: `Bearer ${name}` });
  for (let sent = 0; sent < 5; sent++) expect((await listAs('one')).status).toBe(200);
  const { status, headers, body } = await listAs('one');
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(body).toEqual({
    error: {
      code: 'TooManyRequests',
      message: expect.stringContaining('wait'),
      details: [],
      additionalInfo: [],
    },
  });
  expect((await listAs('another')).status).toBe(200);
  expect((await service.list()).status).toBe(401);
  await service.stop();
});

test('no one is throttled with the throttle off', async () => {
  const service = await startBilling({
    throttle: false,
    billing: [{ billingAccount: account, invoice, generate: { count: 1, seed: 'a' } }],
  });
  for (let sent = 0; sent < 12; sent++) expect((await service.list()).status).toBe(200);
  await service.stop();
});
