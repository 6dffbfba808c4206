import { judge } from '../support/judge.js';

const stack = (app: string, environment = '') =>
  `environments: { e: { ${environment} } }
containerApps: { web: { image: 'i:1', ${app} } }`;
const profiles = 'workloadProfiles: [{ name: large, type: D4, min: 1, max: 3 }]';

judge('app-workload-profile', {
  finds: [
    ['a misspelt profile', stack('environment: e, workloadProfile: lrage', profiles)],
    ['a profile that is not there', stack('environment: e, workloadProfile: gpu', profiles)],
    ['a profile of an environment without', stack('environment: e, workloadProfile: large')],
    ["a profile of the stack's own environment", stack('workloadProfile: large', profiles)],
  ],
  passes: [
    ['a profile of the environment', stack('environment: e, workloadProfile: large', profiles)],
    [
      'the shared profile, which no environment declares',
      stack('environment: e, workloadProfile: Consumption', profiles),
    ],
    ['no profile', stack('environment: e', profiles)],
    [
      'profiles that are known later',
      stack('environment: e, workloadProfile: large', "workloadProfiles: '${env:PROFILES}'"),
    ],
  ],
});
