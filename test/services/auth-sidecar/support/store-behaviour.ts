import type {
  EntryStore,
  ListableStore,
} from '../../../../services/auth-sidecar/token-store/entry-store.js';

/** A clock that tests put forward. */
export const clock = { time: 1_000_000, now: (): number => clock.time };

/** Tests what every store does. */
export function testBasicOperations(open: () => Promise<EntryStore>): void {
  test('keeps, replaces and removes entries, and adds an entry only once', async () => {
    const store = await open();
    const [a, b] = [`a${Math.random()}`, `b${Math.random()}`];
    await store.write(a, 'one', clock.time + 100);
    await store.write(a, 'two', clock.time + 100);
    expect(await store.read([b, a])).toEqual([undefined, 'two']);
    expect([
      await store.add(b, 'first', clock.time + 100),
      await store.add(b, 'second', clock.time + 100),
    ]).toEqual([true, false]);
    expect(await store.read([b])).toEqual(['first']);
    await store.remove(b);
    expect(await store.read([b])).toEqual([undefined]);
    await store.close();
  });
}

/** Tests what stores of sessions do besides. */
export function testListing(open: () => Promise<ListableStore>): void {
  test('lists the entries of a prefix', async () => {
    const store = await open();
    const prefix = `list${String(Math.random()).slice(2)}-`;
    for (const name of ['a', 'b', 'c'])
      await store.write(`${prefix}${name}`, name, clock.time + 100);
    await store.write(`other-${prefix}`, 'x', clock.time + 100);
    await store.remove(`${prefix}b`);
    expect([...(await store.list(prefix))].sort()).toEqual([
      [`${prefix}a`, 'a'],
      [`${prefix}c`, 'c'],
    ]);
    await store.close();
  });
}

/** Tests what stores that take the injected clock do besides. */
export function testExpiry(open: () => Promise<EntryStore>): void {
  test('an expired entry is not read, and can be added again', async () => {
    const store = await open();
    const key = `c${Math.random()}`;
    expect(await store.add(key, 'first', clock.time + 5)).toBe(true);
    expect(await store.add(key, 'second', clock.time + 5)).toBe(false);
    clock.time += 10;
    expect(await store.read([key])).toEqual([undefined]);
    expect(await store.add(key, 'third', clock.time + 5)).toBe(true);
    expect(await store.read([key])).toEqual(['third']);
    await store.close();
  });
}
