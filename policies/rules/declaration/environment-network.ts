import { defineRule } from '../../engine/rule.js';

export const environmentNetwork = defineRule({
  id: 'environment-network',
  title: 'An environment fits its network: only one in a subnet is internal or zone redundant.',
  why: 'The official provider refuses to plan it, and the hosting service refuses counts that do not fit.',
  severity: 'error',
  source: "the official provider's schema: both settings require infrastructure_subnet_id",
  sections: ['environments'],
  reads: ['subnet', 'internal', 'zoneRedundant', 'workloadProfiles'],
  messages: {
    subnet: '{setting} is true, but there is no subnet: give the environment one',
    order: 'min of the profile {profile} is {given}, more than max ({max})',
  },
  check({ value }, context) {
    for (const setting of ['internal', 'zoneRedundant'] as const)
      if (value[setting] === true && value.subnet === undefined)
        context.report({ messageId: 'subnet', path: [setting], parameters: { setting } });
    const profiles = Array.isArray(value.workloadProfiles) ? value.workloadProfiles : [];
    for (const [index, profile] of profiles.entries()) {
      const { name, min = 0, max = 0 } = (profile ?? {}) as Partial<typeof profile>;
      const path = ['workloadProfiles', index, 'min'];
      const parameters = { profile: name };
      if (typeof min === 'number' && typeof max === 'number' && min > max)
        context.report({ messageId: 'order', path, parameters: { ...parameters, max } });
    }
  },
});
