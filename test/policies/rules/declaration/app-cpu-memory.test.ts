import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-cpu-memory', {
  finds: [
    ['cores between two steps', app('cpu: 0.3')],
    ['fewer cores than are allowed', app('cpu: 0.1')],
    ['more memory than goes with the cores', app('cpu: 0.5\nmemory: 2Gi')],
    ['memory that is no amount', app('memory: abc')],
    ['memory in mebibytes', app('memory: 512Mi')],
    [
      'a pair that is not possible on the consumption profile, by its name',
      app('cpu: 3.3\nmemory: 1Gi\nworkloadProfile: consumption'),
    ],
    [
      'containers that together have more cores than are allowed',
      app('cpu: 4\ncontainers: { cache: { image: "c:1" } }'),
    ],
    [
      'containers that together have too little memory',
      app('cpu: 0.5\nmemory: 1Gi\ncontainers: { cache: { image: "c:1", memory: 0.25Gi } }'),
    ],
  ],
  passes: [
    [
      'containers whose sum is allowed, of which one alone is not',
      app(
        'cpu: 0.75\nmemory: 1Gi\ncontainers: { cache: { image: "c:1", cpu: 0.25, memory: 1Gi } }',
      ),
    ],
    [
      'containers that are smaller than an app may be, whose sum is allowed',
      app(
        'cpu: 0.1\nmemory: 0.2Gi\ncontainers: { cache: { image: "c:1", cpu: 0.15, memory: 0.3Gi } }',
      ),
    ],
    [
      'a tenth of a core on a workload profile',
      app(
        'cpu: 0.1\nmemory: 0.4Gi\nenvironment: apps\nworkloadProfile: large',
        'environments: { apps: { workloadProfiles: [{ name: large, type: D4, min: 1, max: 3 }] } }',
      ),
    ],
    [
      "any cores and memory on a workload profile of the app's own",
      app(
        'cpu: 7\nmemory: 3Gi\nenvironment: apps\nworkloadProfile: large',
        'environments: { apps: { workloadProfiles: [{ name: large, type: D4, min: 1, max: 3 }] } }',
      ),
    ],
  ],
});
