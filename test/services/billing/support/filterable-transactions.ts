import { account, invoice, startBilling, type StartedBilling } from './start-billing.js';

/**
 * Transactions with values that filters may get wrong: missing fields, empty texts, quotes, equal dates in
 * other zones, long decimals.
 */
export const filterableTransactions = [
  {
    name: 'a',
    properties: {
      date: '2026-01-01T00:00:00Z',
      quantity: 1,
      units: '0.1',
      productFamily: 'Storage',
      isThirdParty: true,
      transactionAmount: { currency: 'EUR', value: '10.10' },
    },
  },
  {
    name: 'b',
    properties: {
      date: '2026-01-01T01:00:00+01:00',
      quantity: -2,
      units: '0.30000000000000000001',
      productFamily: "O'Brien",
      isThirdParty: false,
      transactionAmount: { currency: 'USD', value: '-5' },
    },
  },
  {
    name: 'c',
    properties: {
      date: '2026-02-01T00:00:00.5Z',
      quantity: 3,
      productFamily: '',
      transactionAmount: { currency: 'USD', value: '9999999999999999.99' },
    },
  },
  { name: 'd', properties: { productFamily: 'storage 100% _x', units: '0.3' } },
  {
    name: 'e',
    properties: {
      date: '2025-12-31T23:59:59Z',
      quantity: 0,
      units: '0',
      isThirdParty: false,
      transactionAmount: { currency: 'JPY', value: '10.1' },
    },
  },
];

/** Starts a service that has these transactions. */
export function startWithFilterableTransactions(): Promise<StartedBilling> {
  return startBilling({
    billing: [{ billingAccount: account, invoice, transactions: filterableTransactions }],
  });
}

/** The names of the transactions that a filter matches, joined. */
export async function matchingNames(service: StartedBilling, filter: string): Promise<string> {
  const { status, body, text } = await service.list({ filter, orderBy: 'name' });
  if (status !== 200) throw new Error(text);
  return body.value.map(({ name }: { name: string }) => name).join('');
}
