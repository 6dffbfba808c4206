import { judge } from '../support/judge.js';
import { app } from '../support/stacks.js';

judge('app-cpu-memory', {
  finds: [
    ['cores between two steps', app('cpu: 0.3')],
    ['more memory than goes with the cores', app('cpu: 0.5\nmemory: 2Gi')],
    ['memory that is no amount', app('memory: abc')],
    ['memory in mebibytes', app('memory: 512Mi')],
  ],
  passes: [
    [
      "any cores and memory on a workload profile of the app's own",
      app(
        'cpu: 7\nmemory: 3Gi\nenvironment: e\nworkloadProfile: large',
        'environments: { e: { workloadProfiles: [{ name: large, type: D4, min: 1, max: 3 }] } }',
      ),
    ],
  ],
});
