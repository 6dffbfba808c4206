import { testRule } from '../support/test-rule.js';

testRule('app-name', {
  finds: [
    ['a capital letter in the name', 'containerApps: { Shop: { image: "ghcr.io/c/s:1.0.0" } }'],
    [
      'an underscore in the name, which the official provider lets pass',
      'containerApps: { ab_: { image: "ghcr.io/c/s:1.0.0" } }',
    ],
    [
      'a name and a suffix with more than 54 characters',
      `containerApps: { ${'a'.repeat(32)}: { image: "ghcr.io/c/s:1.0.0", revision: { suffix: ${'b'.repeat(23)} } } }`,
    ],
  ],
  passes: [
    [
      'a name and a suffix with 54 characters',
      `containerApps: { a: { name: ${'a'.repeat(32)}, image: "ghcr.io/c/s:1.0.0", revision: { suffix: ${'b'.repeat(22)} } } }`,
    ],
  ],
});
