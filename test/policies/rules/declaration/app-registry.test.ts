import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-registry', {
  finds: [
    [
      "a registry signed in to with an identity that the app doesn't have",
      app('registries: [ { server: ghcr.io, identity: system } ]'),
    ],
    [
      "a registry signed in to with an identity that isn't the app's",
      app(
        'registries: [ { server: ghcr.io, identity: /subscriptions/x } ]\nidentity: { userAssigned: [/subscriptions/y] }',
      ),
    ],
    ['a registry without any way to sign in', app('registries: [ { server: ghcr.io } ]')],
  ],
});
