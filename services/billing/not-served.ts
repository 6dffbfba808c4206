import type { UnservedFeature } from '../common/not-served.js';

/** The features of the cloud's billing interface that this service does not have. */
export const notServedByBilling: readonly UnservedFeature[] = [
  {
    id: 'billing-accounts',
    feature:
      'billing accounts, their profiles, sections, invoices and payments as objects of their own',
    alternative:
      'GET …/billingAccounts/{account}/invoices/{invoice}/transactions lists what was billed.',
    pathPattern: /^\/(?:billingAccounts|invoices|billingPeriods|paymentMethods|operations)\b/i,
    example: 'GET /billingAccounts',
  },
];
