import { judge } from '../support/judge.js';
import { app } from '../support/stacks.js';

judge('app-environment', {
  finds: [
    [
      "an app that doesn't choose between two environments",
      app('', 'environments: { blue: {}, green: {} }'),
    ],
  ],
  passes: [
    [
      'an app that chooses one of two environments',
      app('environment: blue', 'environments: { blue: {}, green: {} }'),
    ],
  ],
});
