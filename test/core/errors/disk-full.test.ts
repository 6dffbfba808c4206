import { writeFileSync } from 'node:fs';
import { isDiskFull } from '../../../core/errors/disk-full.js';

test.each([
  ['a file that has no room', Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
  [
    'a database that has none',
    Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    true,
  ],
  [
    'what these led to',
    new Error('the seed', { cause: Object.assign(new Error('write'), { code: 'EDQUOT' }) }),
    true,
  ],
  ['another failure', new Error('no such file'), false],
  ['what is no error', 'ENOSPC', false],
])('a full disk is told from other failures: %s', (_what, error, expected) => {
  expect(isDiskFull(error)).toBe(expected);
});

test('a device that is full is a full disk', () => {
  let failure: unknown;
  try {
    writeFileSync('/dev/full', 'x');
  } catch (error) {
    failure = error;
  }
  if (process.platform === 'linux') expect(isDiskFull(failure)).toBe(true);
});
