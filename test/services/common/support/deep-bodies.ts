const levels = 100_000;

/** Bodies whose nesting would fill the stack of whatever reads them by recursion. */
export const deepBodies: readonly (readonly [name: string, text: string])[] = [
  ['nested arrays', `{"displayName":${'['.repeat(levels)}${']'.repeat(levels)}}`],
  ['nested objects', `{"displayName":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`],
  ['nested arrays that never end', `{"displayName":${'['.repeat(levels)}`],
  [
    'nested arrays below a prototype',
    `{"__proto__":${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}}`,
  ],
  [
    'nested arrays with escaped text',
    `{"\\u0000":"\\"","displayName":${'['.repeat(levels)}${']'.repeat(levels)}}`,
  ],
  ['a nested array alone', `${'['.repeat(levels)}${']'.repeat(levels)}`],
];
