import type { UnservedFeature } from '../common/not-served.js';

/** The features of the cloud's resource manager, beside resources, that this one does not have. */
export const notServedByResourceManager: readonly UnservedFeature[] = [
  {
    id: 'policy-states',
    feature: 'states of policies',
    alternative: 'castellan check judges a configuration by policies of your own.',
    pathPattern: /\/providers\/Microsoft\.PolicyInsights\//i,
    example:
      'POST /00000000-0000-4000-8000-000000000001/providers/Microsoft.PolicyInsights/policyStates/latest/summarize',
  },
  {
    id: 'costs',
    feature: 'queries of costs',
    alternative: 'Billing lists the transactions of invoices.',
    pathPattern:
      /\/providers\/Microsoft\.(?:CostManagement\/(?:query|forecast)|Consumption\/(?:usageDetails|balances))\b/i,
    example: 'POST /00000000-0000-4000-8000-000000000001/providers/Microsoft.CostManagement/query',
  },
];

/** Whether a path that looks like that of a resource is an operation that only the cloud has. */
export const isNotServed = (path: string): boolean =>
  notServedByResourceManager.some(({ pathPattern }) => pathPattern.test(path));
