import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-ingress-port', {
  finds: [
    ['an outer port without transport tcp', app('ingress: { exposedPort: 80 }')],
    [
      'ingress without a port of the app',
      'containerApps: { shop: { image: "ghcr.io/c/s:1.0.0", ingress: { external: false } } }',
    ],
  ],
});
