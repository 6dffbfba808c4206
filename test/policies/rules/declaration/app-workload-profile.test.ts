import { testRule } from '../support/test-rule.js';

const stack = (app: string, environment = '') =>
  `environments: { apps: { ${environment} } }
containerApps: { web: { image: 'i:1', ${app} } }`;
const profiles = 'workloadProfiles: [{ name: large, type: D4, min: 1, max: 3 }]';

testRule('app-workload-profile', {
  finds: [
    ['a misspelt profile', stack('environment: apps, workloadProfile: lrage', profiles)],
    ['a profile that is not there', stack('environment: apps, workloadProfile: gpu', profiles)],
    [
      'a profile of an environment without profiles',
      stack('environment: apps, workloadProfile: large'),
    ],
    ["a profile of the stack's own environment", stack('workloadProfile: large', profiles)],
  ],
  passes: [
    ['a profile of the environment', stack('environment: apps, workloadProfile: large', profiles)],
    [
      'the shared profile, which no environment declares',
      stack('environment: apps, workloadProfile: Consumption', profiles),
    ],
    ['no profile', stack('environment: apps', profiles)],
    [
      'profiles that are known later',
      stack('environment: apps, workloadProfile: large', "workloadProfiles: '${env:PROFILES}'"),
    ],
  ],
});
