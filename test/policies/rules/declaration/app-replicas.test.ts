import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-replicas', {
  finds: [
    ['fewer replicas at most than at least', app('replicas: { min: 5, max: 2 }')],
    ['more replicas at least than the default allows at most', app('replicas: { min: 11 }')],
    ['at most no replica', app('replicas: { max: 0 }')],
  ],
});
