import { createHash } from 'node:crypto';
import { guidFromHex } from '../../../core/values/derived-id.js';

/**
 * A random number generator with the same sequence for a seed on every machine: integer arithmetic
 * only (xoshiro128**, seeded by SHA-256), without floating point functions, clock or locale.
 */
export interface Random {
  /** An integer from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** One of the entries. */
  pick<T>(entries: readonly T[]): T;
  /** A UUID (version 4). */
  uuid(): string;
}

/** Creates a generator whose sequence depends on the seed only. */
export function createRandom(seed: string): Random {
  const state = new Uint32Array(4);
  const bytes = createHash('sha256').update(seed).digest();
  for (let index = 0; index < 4; index++) state[index] = bytes.readUInt32LE(index * 4);
  const rotate = (value: number, bits: number): number =>
    ((value << bits) | (value >>> (32 - bits))) >>> 0;
  const next = (): number => {
    const [word0 = 0, word1 = 0, word2 = 0, word3 = 0] = state;
    const result = Math.imul(rotate(Math.imul(word1, 5) >>> 0, 7), 9) >>> 0;
    const mixed2 = (word2 ^ word0) >>> 0;
    const mixed3 = (word3 ^ word1) >>> 0;
    state[1] = word1 ^ mixed2;
    state[0] = word0 ^ mixed3;
    state[2] = mixed2 ^ (word1 << 9);
    state[3] = rotate(mixed3, 11);
    return result;
  };
  return {
    below: (limit) => next() % limit,
    pick: (entries) => entries[next() % entries.length] as (typeof entries)[number],
    uuid: () =>
      guidFromHex(
        [next(), next(), next(), next()].map((word) => word.toString(16).padStart(8, '0')).join(''),
      ),
  };
}
