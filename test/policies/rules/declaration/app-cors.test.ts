import { testRule } from '../support/test-rule.js';
import { servedApp } from '../support/stacks.js';

testRule('app-cors', {
  finds: [
    [
      'credentials for every origin',
      servedApp('').replace(
        '{ external: true }',
        '{ external: true, cors: { allowedOrigins: ["*"], allowCredentials: true } }',
      ),
    ],
  ],
});
