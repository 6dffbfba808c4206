import { formatBytes, formatDuration, formatMonth } from '../../../core/text/quantities.js';

test.each([
  [400, '0.4 s'],
  [45_900, '45 s'],
  [12 * 60_000 + 59_000, '12 min'],
  [5 * 3_600_000, '5 h'],
  [3 * 86_400_000, '3 days'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test.each([
  [999, '999 B'],
  [1_500_000_000, '1500 MB'],
  [61_400_000_000, '61 GB'],
  [7e15, '7000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('a month is named with its year', () => {
  expect(formatMonth(new Date('2036-11-23T14:22:30Z'))).toBe('Nov 2036');
});
