import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-image-pinned', {
  finds: [['an image by the tag latest', app('').replace(':1.0.0', ':latest')]],
});
