import { latestFirst } from '../../../../sandbox/console/page/log-order.js';

describe('lines of logs', () => {
  it('have the latest first, and those of one moment in the order in which they were written', () => {
    const line = (at: string, text: string) => ({ at, writer: 'storefront', text });
    const lines = [
      line('2026-11-28T03:59:51.266Z', 'GET /'),
      line('2026-11-28T03:59:52.426Z', 'grace is not in:'),
      line('2026-11-28T03:59:52.426Z', 'yes provider'),
      line('2026-11-28T03:59:52.426Z', 'no group'),
      line('2026-11-28T03:59:53.060Z', 'GET /callback'),
    ];
    expect(latestFirst(lines).map(({ text }) => text)).toEqual([
      'GET /callback',
      'grace is not in:',
      'yes provider',
      'no group',
      'GET /',
    ]);
  });
});
