import {
  type BillingClient,
  createBillingClient,
  detectBillingDialect,
} from '../../../clients/billing/index.js';
import {
  account,
  invoice,
  startBilling,
  type StartedBilling,
} from '../../services/billing/support/start-billing.js';

const invoiceQuery = { billingAccount: account, invoice };

describe.each(['neutral', 'azure'] as const)(
  'the billing client against a service in the %s dialect',
  (dialect) => {
    let service: StartedBilling;
    let billing: BillingClient;
    let refusalsLeft: number;
    const waits: number[] = [];
    beforeAll(async () => {
      const transaction = {
        name: 'exact',
        properties: { transactionAmount: { currency: 'USD', value: '0.10000000000000000555' } },
      };
      service = await startBilling({
        dialect,
        billing: [
          { billingAccount: account, invoice, generate: { count: 120, seed: 'client' } },
          { billingAccount: account, invoice, transactions: [transaction] },
        ],
      });
      billing = createBillingClient({
        baseUrl: service.origin,
        dialect,
        sleep: (ms) => (waits.push(ms), Promise.resolve()),
        // Refuses the next requests, as many as a test sets.
        fetch: (url, init) =>
          refusalsLeft-- > 0
            ? Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '7' } }))
            : fetch(url, init),
      });
    });
    beforeEach(() => (refusalsLeft = 0));
    afterAll(() => service.stop());

    const names = async (options: object = {}): Promise<string[]> => {
      const found: string[] = [];
      for await (const { name } of billing.transactions({ ...invoiceQuery, ...options }))
        found.push(name);
      return found;
    };

    it('reads all pages, and stops asking when the reader stops', async () => {
      expect(new Set(await names()).size).toBe(121);
      const pages = billing.pages({ ...invoiceQuery, top: 10, count: true });
      const { value: first } = await pages.next();
      expect(first?.value).toHaveLength(10);
      expect(first?.totalCount).toBe(121);
      await pages.return();
    });

    it('passes every option on', async () => {
      const options = {
        filter: "productFamily eq 'Storage'",
        orderBy: 'transactionAmount/value desc',
        search: 'storage',
        top: 3,
        skip: 1,
      };
      const expected = await service.listAll({ ...options, top: '3', skip: '1' });
      expect(await names(options)).toEqual(expected.map((each) => each.name as string));
    });

    it('keeps every digit of an amount', async () => {
      const found: unknown[] = [];
      for await (const { properties } of billing.transactions({
        ...invoiceQuery,
        filter: "name eq 'exact'",
      }))
        found.push(properties.transactionAmount);
      expect(found).toEqual([{ currency: 'USD', value: '0.10000000000000000555' }]);
    });

    it('waits as long as each refusal asks, and loses nothing', async () => {
      refusalsLeft = 2;
      expect(await names({ top: 50 })).toHaveLength(121);
      expect(waits.slice(-2)).toEqual([7000, 7000]);
    });

    it('says what is wrong with a filter, as the service words it', async () => {
      await expect(names({ filter: 'colour eq 1' })).rejects.toMatchObject({
        status: 400,
        serviceCode: 'InvalidFilter',
        target: 'filter',
        isRetriable: false,
      });
    });

    it('recognizes the dialect', async () =>
      expect(await detectBillingDialect({ baseUrl: service.origin })).toBe(dialect));
  },
);
