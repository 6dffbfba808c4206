import fc from 'fast-check';
import { findCycles } from '../../../policies/model/membership-cycles.js';

const cycles = (containment: Record<string, readonly string[]>) =>
  Object.fromEntries(findCycles(new Map(Object.entries(containment))));

describe('membership cycles', () => {
  it.each<[string, Record<string, readonly string[]>, Record<string, readonly string[]>]>([
    ['none in a tree', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, {}],
    ['none of a name with itself', { a: ['a'] }, {}],
    ['none through what is not there', { a: ['x'], b: ['a'] }, {}],
    ['one of two', { b: ['a'], a: ['b'] }, { a: ['a', 'b', 'a'] }],
    ['the shortest one', { a: ['b', 'c'], b: ['c'], c: ['a'] }, { a: ['a', 'c', 'a'] }],
    [
      'several that are apart',
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      { a: ['a', 'b', 'a'], c: ['c', 'd', 'c'] },
    ],
  ])('finds %s', (_, containment, expected) => {
    expect(cycles(containment)).toEqual(expected);
  });

  it('finds a cycle if there is any, and only real ones', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lists = fc.tuple(...names.map(() => fc.subarray(names)));
    const reaches = (
      containment: Record<string, readonly string[]>,
      from: string,
      to: string,
      seen = new Set<string>(),
    ): boolean =>
      (containment[from] ?? []).some(
        (next) =>
          next === to || (!seen.has(next) && reaches(containment, next, to, seen.add(next))),
      );
    fc.assert(
      fc.property(lists, (members) => {
        const containment = Object.fromEntries(
          names.map((name, index) => [name, members[index]?.filter((each) => each !== name) ?? []]),
        );
        const foundCycles = cycles(containment);
        expect(Object.keys(foundCycles).length > 0).toBe(
          names.some((name) => reaches(containment, name, name)),
        );
        for (const [first, cycle] of Object.entries(foundCycles)) {
          expect([cycle[0], cycle.at(-1)]).toEqual([first, first]);
          cycle
            .slice(1)
            .forEach((name, index) => expect(containment[cycle[index] ?? '']).toContain(name));
        }
      }),
    );
  });

  it('handles a chain and a cycle of 100,000 quickly', () => {
    const chain = (end: string[]) =>
      new Map(
        Array.from({ length: 100_000 }, (_, i) => [`g${i}`, i === 99_999 ? end : [`g${i + 1}`]]),
      );
    expect(findCycles(chain([])).size).toBe(0);
    expect(findCycles(chain(['g0'])).get('g0')).toHaveLength(100_001);
  });
});
