import type { Tokens } from './provider.js';

/** Leaves out what is undefined. */
export function compact(tokens: { readonly [Key in keyof Tokens]: Tokens[Key] | undefined }): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined)) as Tokens;
}
