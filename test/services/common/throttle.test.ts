import { openDatabase } from '../../../services/common/database.js';
import { bucketFor } from '../../../services/common/shared-bucket.js';
import { createThrottle } from '../../../services/common/throttle.js';
import { emptyPostgres } from '../../support/postgres.js';
import { describeWithTool } from '../../support/require-tool.js';

describe('the throttle', () => {
  let now = 0;
  const throttle = createThrottle(
    { burst: 10, perSecond: 2, retryAfterSeconds: 5 },
    { now: () => new Date(now) },
  );
  const take = (count: number, caller = 'a', operation = 'x'): number =>
    Array.from({ length: count }, () => throttle.take(caller, operation)).filter(
      (wait) => wait === undefined,
    ).length;

  it('admits a burst, then a number per second', () => {
    expect(take(15)).toBe(10);
    expect(throttle.take('a', 'x')).toBe(5);
    now += 3000;
    expect(take(15)).toBe(6);
    now += 3_600_000;
    expect(take(15)).toBe(10);
  });

  it('affects no other caller and no other operation', () => {
    expect([take(3), take(3, 'b'), take(3, 'a', 'y')]).toEqual([0, 3, 3]);
  });

  it('stays fast with many callers, and forgets no one who is still refused', () => {
    now += 3_600_000;
    expect(take(10)).toBe(10);
    for (let caller = 0; caller < 30_000; caller++) throttle.take(`caller ${caller}`, 'x');
    expect(take(1)).toBe(0);
  });
});

describeWithTool('postgres', 'a bucket on PostgreSQL', () => {
  it('is full again after a start with an earlier clock (`--now`)', async () => {
    const url = await emptyPostgres();
    const emptyAt = async (now: number): Promise<number> => {
      const database = await openDatabase(url);
      const bucket = bucketFor(database, 'k', { capacity: 100, perSecond: 1, now });
      const wait = await bucket.take(100, now);
      await database.close();
      return wait;
    };
    expect(await emptyAt(Date.now() + 86_400_000 * 365)).toBe(0);
    expect(await emptyAt(Date.now())).toBe(0);
  });
});
