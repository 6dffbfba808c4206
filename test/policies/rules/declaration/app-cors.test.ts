import { judge } from '../support/judge.js';
import { servedApp } from '../support/stacks.js';

judge('app-cors', {
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
