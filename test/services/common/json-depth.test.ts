import fc from 'fast-check';
import {
  assertShallow,
  maxJsonDepth,
  nestsTooDeep,
} from '../../../services/common/body-parsers.js';
import { deepBodies } from './support/deep-bodies.js';

test('JSON may nest as deep as the limit says, and no deeper', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(nestsTooDeep(nested(maxJsonDepth))).toBe(false);
  expect(nestsTooDeep(nested(maxJsonDepth + 1))).toBe(true);
  expect(() => assertShallow(nested(maxJsonDepth + 1))).toThrow(SyntaxError);
  expect(nestsTooDeep(`[${'[],'.repeat(1000)}[]]`)).toBe(false);
});

test('brackets in texts are not counted', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 200 }), (text, levels) => {
      const value = JSON.stringify([text, '['.repeat(500), `"${'{'.repeat(500)}\\`]);
      expect(nestsTooDeep('['.repeat(levels) + value + ']'.repeat(levels))).toBe(
        levels + 1 > maxJsonDepth,
      );
    }),
  );
});

test('every deeply nested body is found', () => {
  for (const [, text] of deepBodies) expect(nestsTooDeep(text)).toBe(true);
});
