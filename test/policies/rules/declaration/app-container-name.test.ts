import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-container-name', {
  finds: [
    ['a container with the name of the app', app('containers: { shop: { image: "c:1" } }')],
    [
      'a container with the name that the app has in the cloud',
      app('name: web\ncontainers: { web: { image: "c:1" } }'),
    ],
  ],
  passes: [
    ['a container with another name', app('containers: { cache: { image: "c:1" } }')],
    [
      'a container with the name by which the configuration knows the app',
      app('name: web\ncontainers: { shop: { image: "c:1" } }'),
    ],
  ],
});
