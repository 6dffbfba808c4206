import { testRule } from '../support/test-rule.js';

const subnet =
  'subnet: /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/a';
const environment = (properties: string) => `environments: { apps: { ${properties} } }`;

testRule('environment-network', {
  finds: [
    ['an internal environment without a subnet', environment('internal: true')],
    ['a zone redundant environment without a subnet', environment('zoneRedundant: true')],
    [
      'a profile with a minimum of machines above its maximum',
      environment('workloadProfiles: [{ name: large, type: D4, min: 3, max: 1 }]'),
    ],
    [
      'a profile with a minimum of machines above the default maximum',
      environment('workloadProfiles: [{ name: large, type: D4, min: 1 }]'),
    ],
  ],
  passes: [
    ['an environment in a subnet', environment(`internal: true, zoneRedundant: true, ${subnet}`)],
    [
      'an environment that is neither internal nor zone redundant',
      environment('internal: false, zoneRedundant: false'),
    ],
    [
      'profiles with numbers in order',
      environment(
        'workloadProfiles: [{ name: large, type: D4, min: 1, max: 1 }, { name: Consumption, type: Consumption }]',
      ),
    ],
  ],
});
