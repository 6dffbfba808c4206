import { createThrottle } from '../../../services/common/throttle.js';

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
