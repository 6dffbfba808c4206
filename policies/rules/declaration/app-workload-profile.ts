import {
  consumptionProfile,
  isConsumptionProfile,
} from '../../../kinds/container-app/container.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { ownEnvironmentId, ownEnvironmentOf } from '../../engine/own-environment.js';
import { defineRule } from '../../engine/rule.js';
import { type Declaration, startsWith } from '../../engine/stack-index.js';

export const appWorkloadProfile = defineRule({
  id: 'app-workload-profile',
  title: 'An app runs on a workload profile that its environment has.',
  why: 'The hosting service refuses an app whose profile does not exist, after the environment was made.',
  severity: 'error',
  source: 'the hosting service: workloadProfileName names a profile of the managed environment',
  sections: ['containerApps'],
  scope: 'stack',
  reads: ['workloadProfile', 'environment'],
  messages: {
    missing: 'the environment {environment} has no workload profile "{given}"{hint}',
    none: 'the stack\'s own environment has no workload profiles: declare an environment with the profile "{given}", and name it',
  },
  check({ value, unknownPaths }, context) {
    const { workloadProfile: given, environment } = value;
    const isEnvironmentUnknown = unknownPaths.some((path) => startsWith(['environment'], path));
    if (typeof given !== 'string' || isConsumptionProfile(given) || isEnvironmentUnknown) return;
    const path = ['workloadProfile'];
    const declared =
      environment === undefined
        ? ownEnvironmentOf(context.index)
        : context.index.find('environments', environment);
    const names = declared === undefined ? undefined : profilesOf(declared);
    if (names?.includes(given) === true) return;
    if (environment === undefined && (declared === undefined || names?.length === 0)) {
      context.report({ messageId: 'none', path });
      return;
    }
    if (names === undefined) return;
    const suggestion = nearest(given, names);
    const others = `; it has ${[...names, consumptionProfile].join(', ')}`;
    context.report({
      messageId: 'missing',
      path,
      parameters: {
        environment: environment ?? ownEnvironmentId,
        hint: didYouMean(suggestion, others),
      },
      fix: suggestion === undefined ? undefined : { value: suggestion },
    });
  },
});

/** The profiles of an environment; undefined if they are known only later. */
function profilesOf({
  value: { workloadProfiles },
  unknownPaths,
}: Declaration<'environments'>): readonly string[] | undefined {
  if (unknownPaths.some(([first]) => first === 'workloadProfiles')) return undefined;
  return (workloadProfiles ?? []).map(({ name }) => name);
}
