import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-replicas', {
  finds: [
    ['a maximum of replicas below the minimum', app('replicas: { min: 5, max: 2 }')],
    ['a minimum of replicas above the default maximum', app('replicas: { min: 11 }')],
    ['a maximum of zero replicas', app('replicas: { max: 0 }')],
  ],
});
