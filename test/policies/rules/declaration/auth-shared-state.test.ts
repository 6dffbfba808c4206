import { testRule } from '../support/test-rule.js';
import { directory, servedApp } from '../support/stacks.js';

testRule('auth-shared-state', {
  finds: [
    [
      'several replicas with a token store and keys of their own',
      servedApp(
        'replicas: { min: 2, max: 4 }\nauth: { ' +
          directory +
          ', tokenStore: { enabled: true, blobStorage: { sasUrl: "${env:A}" } } }',
      ),
    ],
    [
      'an app that may run several replicas with keys of their own',
      servedApp(
        'replicas: { max: 4 }\nauth: { ' +
          directory +
          ', tokenStore: { enabled: true, blobStorage: { sasUrl: "${env:A}" } } }',
      ),
    ],
  ],
});
