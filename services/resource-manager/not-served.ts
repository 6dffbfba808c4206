import type { NotServed } from '../common/not-served.js';

/** What the cloud's resource manager has beside resources, and this one has not. */
export const notServedByResourceManager: readonly NotServed[] = [
  {
    id: 'policy-states',
    what: 'states of policies',
    instead: 'castellan check judges a configuration by policies of your own.',
    paths: /\/providers\/Microsoft\.PolicyInsights\//i,
    example:
      'POST /00000000-0000-4000-8000-000000000001/providers/Microsoft.PolicyInsights/policyStates/latest/summarize',
  },
  {
    id: 'costs',
    what: 'queries of costs',
    instead: 'Billing lists the transactions of invoices.',
    paths:
      /\/providers\/Microsoft\.(?:CostManagement\/(?:query|forecast)|Consumption\/(?:usageDetails|balances))\b/i,
    example: 'POST /00000000-0000-4000-8000-000000000001/providers/Microsoft.CostManagement/query',
  },
];

/** Whether the cloud has an operation at a path that would be taken for that of a resource. */
export const isNotServed = (path: string): boolean =>
  notServedByResourceManager.some(({ paths }) => paths.test(path));
