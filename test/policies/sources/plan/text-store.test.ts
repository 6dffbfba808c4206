import fc from 'fast-check';
import { storedText, TextStore } from '../../../../policies/sources/plan/text-store.js';

describe('a store of texts', () => {
  it('gives back whatever it was given, short or longer than a block', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), fc.integer({ min: 0, max: 8 }), (texts, times) => {
        const store = new TextStore();
        const given = [...texts, 'ü€😀'.repeat(times * 10_000), ...texts];
        const kept = given.map((text) => store.put(text));
        expect(kept.map(storedText)).toEqual(given);
      }),
      { numRuns: 20 },
    );
  });
});
