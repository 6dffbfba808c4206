import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-probes', {
  finds: [
    ['a path to ask by TCP', app('probes: { liveness: { transport: tcp, path: /x } }')],
    [
      'several successes before an app counts as alive',
      app('probes: { liveness: { successThreshold: 3 } }'),
    ],
    [
      'a probe without a port where the app names none',
      'containerApps: { shop: { image: "ghcr.io/c/s:1.0.0", probes: { liveness: { path: / } } } }',
    ],
  ],
  passes: [
    [
      'several successes before an app counts as ready',
      app('probes: { readiness: { successThreshold: 3, path: /x } }'),
    ],
  ],
});
