import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-excluded-paths', {
  finds: [
    ['a wildcard in the middle of a path', signIn('excludedPaths: [/a/*/b]\n' + directory)],
    ['two dots in a path', signIn(directory + '\nexcludedPaths: ["/a/../*"]')],
    ['a semicolon', signIn(directory + '\nexcludedPaths: ["/a;b"]')],
    ['an empty segment', signIn(directory + '\nexcludedPaths: ["//"]')],
    [
      "the sign-in layer's own paths in other letter case",
      signIn(directory + '\nexcludedPaths: ["/.AUTH/*"]'),
    ],
    [
      'a path below the prefix of the sign-in layer',
      signIn(directory + '\nroutes: { apiPrefix: /healthz }\nexcludedPaths: ["/healthz"]'),
    ],
  ],
  passes: [['a wildcard at the end of a path', signIn('excludedPaths: [/a/*]\n' + directory)]],
});
