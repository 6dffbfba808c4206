import { momentOf, timeOfDay } from '../../../../sandbox/console/page/time-text.js';

describe('times of the console', () => {
  const zone = process.env['TZ'];
  beforeAll(() => {
    process.env['TZ'] = 'America/New_York';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it('are in UTC wherever the browser is', () => {
    expect(new Date('2026-11-28T03:58:05Z').getHours()).toBe(22);
    expect(timeOfDay('2026-11-28T03:58:05.123Z')).toBe('03:58:05');
    expect(timeOfDay(Date.parse('2026-11-27T22:58:05-05:00'))).toBe('03:58:05');
    expect(momentOf('2026-11-27T22:58:05-05:00')).toBe('2026-11-28 03:58:05 UTC');
  });
});
