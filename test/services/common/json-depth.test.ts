import fc from 'fast-check';
import {
  assertJsonDepth,
  maxJsonDepth,
  exceedsMaxJsonDepth,
} from '../../../services/common/json-depth.js';
import { deepBodies } from './support/deep-bodies.js';

test('JSON may nest as deep as the limit says, and no deeper', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(exceedsMaxJsonDepth(nested(maxJsonDepth))).toBe(false);
  expect(exceedsMaxJsonDepth(nested(maxJsonDepth + 1))).toBe(true);
  expect(() => assertJsonDepth(nested(maxJsonDepth + 1))).toThrow(SyntaxError);
  expect(exceedsMaxJsonDepth(`[${'[],'.repeat(1000)}[]]`)).toBe(false);
});

test('brackets in texts are not counted', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 200 }), (text, levels) => {
      const value = JSON.stringify([text, '['.repeat(500), `"${'{'.repeat(500)}\\`]);
      expect(exceedsMaxJsonDepth('['.repeat(levels) + value + ']'.repeat(levels))).toBe(
        levels + 1 > maxJsonDepth,
      );
    }),
  );
});

test('every deeply nested body is found', () => {
  for (const [, text] of deepBodies) expect(exceedsMaxJsonDepth(text)).toBe(true);
});
