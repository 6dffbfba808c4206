import { writeFileSync } from 'node:fs';
import { isDiskFull } from '../../../core/errors/disk-full.js';

test.each([
  ['a write to a file without room', Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
  [
    'a write to a database without room',
    Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    true,
  ],
  [
    'an error that a full disk caused',
    new Error('the seed', { cause: Object.assign(new Error('write'), { code: 'EDQUOT' }) }),
    true,
  ],
  ['another failure', new Error('no such file'), false],
  ['a value that is no error', 'ENOSPC', false],
])('isDiskFull recognizes only a full disk: %s', (_description, error, expected) => {
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
