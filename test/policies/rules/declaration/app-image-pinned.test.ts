import { judge } from '../support/judge.js';
import { app } from '../support/stacks.js';

judge('app-image-pinned', {
  finds: [['an image by the tag latest', app('').replace(':1.0.0', ':latest')]],
});
