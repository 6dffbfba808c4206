import { systemClock } from '../../../services/common/clock.js';
import type * as Throttle from '../../../services/common/throttle.js';
import { group, startManager, subscription } from './support.js';

// The limit is five requests for ever: the real limits would take thousands of requests.
vi.mock('../../../services/common/throttle.js', async () => {
  const real = await vi.importActual<typeof Throttle>('../../../services/common/throttle.js');
  const createSmallThrottle = () =>
    real.createThrottle({ burst: 5, perSecond: 0, retryAfterSeconds: 5 }, systemClock);
  return {
    ...real,
    throttleEachOperation: () => real.throttleEachOperation(createSmallThrottle()),
  };
});

/**
 * @claim arm-429: A caller over its limit gets 429 with Retry-After.
 * @source
 *   https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
test('a caller with too many requests to one operation gets 429 with the time to wait', async () => {
  const service = await startManager({}, { throttle: true });
  for (let sent = 0; sent < 5; sent++) expect((await service.send('GET', group)).status).toBe(404);
  const answer = await service.send('GET', group);
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    429,
    'TooManyRequests',
    '5',
  ]);
  expect((await service.send('GET', `/subscriptions/${subscription}/resourcegroups`)).status).toBe(
    200,
  );
  await service.close();
});
