import type { NotServed } from '../common/not-served.js';

/** What the cloud's billing interface has, and this service has not. */
export const notServedByBilling: readonly NotServed[] = [
  {
    id: 'billing-accounts',
    what: 'billing accounts, their profiles, sections, invoices and payments as objects of their own',
    instead:
      'GET …/billingAccounts/{account}/invoices/{invoice}/transactions lists what was billed.',
    paths: /^\/(?:billingAccounts|invoices|billingPeriods|paymentMethods|operations)\b/i,
    example: 'GET /billingAccounts',
  },
];
