import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

testRule('auth-forward-proxy', {
  finds: [
    ['custom headers without names', signIn(`${directory}\nforwardProxy: { convention: custom }`)],
    [
      "a header's name that the convention ignores",
      signIn(`${directory}\nforwardProxy: { convention: standard, customHostHeaderName: X-Host }`),
    ],
  ],
  passes: [
    [
      'custom headers with a name',
      signIn(`${directory}\nforwardProxy: { convention: custom, customHostHeaderName: X-Host }`),
    ],
  ],
});
