import { systemClock } from '../../../services/common/clock.js';
import type * as Throttle from '../../../services/common/throttle.js';
import { group, start, subscription } from './support.js';

// Five requests are a storm here, and no time heals it: the real limits would take thousands.
vi.mock('../../../services/common/throttle.js', async () => {
  const real = await vi.importActual<typeof Throttle>('../../../services/common/throttle.js');
  const storm = () =>
    real.createThrottle({ burst: 5, perSecond: 0, retryAfterSeconds: 5 }, systemClock);
  return { ...real, throttleEachOperation: () => real.throttleEachOperation(storm()) };
});

/**
 * @claim arm-429: A caller over its limit gets 429 with Retry-After.
 * @source
 *   https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
test('a caller with too many requests to one operation gets 429 with the time to wait', async () => {
  const throttled = await start({}, { throttle: true });
  for (let sent = 0; sent < 5; sent++)
    expect((await throttled.send('GET', group)).status).toBe(404);
  const answer = await throttled.send('GET', group);
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    429,
    'TooManyRequests',
    '5',
  ]);
  expect(
    (await throttled.send('GET', `/subscriptions/${subscription}/resourcegroups`)).status,
  ).toBe(200);
  await throttled.close();
});
