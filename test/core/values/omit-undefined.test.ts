import { omitUndefined } from '../../../core/values/omit-undefined.js';

test('omitUndefined leaves out undefined properties, and keeps other empty values', () => {
  const missing: string | undefined = undefined;
  const result = omitUndefined({ missing, none: null, empty: '', zero: 0, no: false });
  expect(Object.keys(result)).toEqual(['none', 'empty', 'zero', 'no']);
});
