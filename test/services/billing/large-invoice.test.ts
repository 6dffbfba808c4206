import { parseFilter } from '../../../services/billing/query/filter.js';
import { parseOrderBy } from '../../../services/billing/query/order.js';
import { createFieldFinder, fieldsInDialect } from '../../../services/billing/store/fields.js';
import { TransactionStore } from '../../../services/billing/store/transaction-store.js';
import { account, invoice, startBilling, type StartedBilling } from './support/start-billing.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- tests look into answers freely */

/** More transactions than two slices of a scan have. */
const count = 2500;

describe('an invoice with thousands of transactions', () => {
  let service: StartedBilling;
  let allTransactions: any[];
  beforeAll(async () => {
    service = await startBilling({
      billing: [{ billingAccount: account, invoice, generate: { count, seed: 'large' } }],
    });
    allTransactions = await service.listAll();
  });
  afterAll(() => service.stop());

  const amountOf = (each: any): number => Number(each.properties.transactionAmount.value);
  const textsIn = (value: any): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(textsIn)
        : [];
  const namesOf = (list: any[]): string[] => list.map((each) => each.name as string);

  it('has a distinct name for each transaction', () =>
    expect(new Set(namesOf(allTransactions)).size).toBe(count));

  const nameIncludes = (each: any, part: string): boolean => (each.name as string).includes(part);

  it.each<[string, (each: any) => boolean]>([
    ["contains(name,'ab')", (each) => nameIncludes(each, 'ab')],
    ["endswith(name,'7')", (each) => each.name.endsWith('7')],
    ["not contains(name,'a')", (each) => !nameIncludes(each, 'a')],
    [
      "contains(productDescription,'e') and contains(name,'00')",
      (each) => each.properties.productDescription.includes('e') && nameIncludes(each, '00'),
    ],
    [
      "productFamily eq 'Storage' and units gt 1000",
      (each) => each.properties.productFamily === 'Storage' && each.properties.units > 1000,
    ],
    ["productFamily ne 'Nothing' and startswith(name,'f')", (each) => each.name.startsWith('f')],
    [
      "transactionType eq 'refund' and productFamily in ('Compute','None')",
      (each) =>
        each.properties.transactionType === 'refund' && each.properties.productFamily === 'Compute',
    ],
    [
      'reasonCode eq null and isThirdParty',
      (each) => each.properties.reasonCode === undefined && each.properties.isThirdParty,
    ],
    ["contains(reasonCode,'zzz') or contains(name,'zzz')", () => false],
    [
      'date ge 2025-06-01 and transactionAmount/value lt 0',
      (each) => each.properties.date >= '2025-06-01' && amountOf(each) < 0,
    ],
  ])('finds the right ones by %s, in each order, and counts them', async (filter, matches) => {
    const matching = allTransactions.filter(matches);
    expect(namesOf(await service.listAll({ filter }))).toEqual(namesOf(matching));
    const ordered = await service.listAll({ filter, orderBy: 'transactionAmount/value desc' });
    expect(namesOf(ordered).sort()).toEqual(namesOf(matching).sort());
    ordered.forEach(
      (each, index) =>
        index > 0 && expect(amountOf(ordered[index - 1])).toBeGreaterThanOrEqual(amountOf(each)),
    );
    expect((await service.list({ filter, count: 'true', top: '1' })).body.totalCount).toBe(
      matching.length,
    );
    const skip = Math.floor(matching.length / 2);
    const remaining = await service.listAll({
      filter,
      orderBy: 'transactionAmount/value desc',
      skip: String(skip),
    });
    expect(namesOf(remaining)).toEqual(namesOf(ordered.slice(skip)));
  });

  it.each(['storage', 'REFUND', 'not to be found', 'part of a name'])(
    'searches for "%s"',
    async (word) => {
      const search =
        word === 'part of a name' ? (allTransactions[2210].name as string).slice(10, 16) : word;
      const matching = allTransactions.filter(({ tags: _tags, ...each }) =>
        textsIn({
          ...each,
          properties: withoutDates(each.properties),
          systemData: withoutDates(each.systemData),
        }).some((text) => text.toLowerCase().includes(search.toLowerCase())),
      );
      expect(namesOf(await service.listAll({ search }))).toEqual(namesOf(matching));
      expect((await service.list({ search, count: 'true' })).body.totalCount).toBe(matching.length);
    },
  );

  it('finds the same from any position as page after page', async () => {
    const findField = createFieldFinder(fieldsInDialect('neutral'));
    const store = new TransactionStore(service.database, 'neutral');
    const order = parseOrderBy('transactionAmount/value desc, date', findField);
    for (const filter of ["contains(name,'abc')", "contains(name,'zz')", "contains(name,'a')"]) {
      const selection = { invoiceId: 1, order, filter: parseFilter(filter, findField) };
      const listed = await store.list(selection, { skip: 3, limit: 60 });
      const after = listed[4];
      if (after === undefined) continue;
      expect(await store.list(selection, { skip: 0, limit: 55, after })).toEqual(listed.slice(5));
      expect(await store.list(selection, { skip: 8, limit: 55 })).toEqual(listed.slice(5));
    }
  });

  it('lets other requests run while it scans everything', async () => {
    let turns = 0;
    let scanning = true;
    const takeTurn = (): void => void (scanning && setImmediate(() => (turns++, takeTurn())));
    takeTurn();
    const store = new TransactionStore(service.database, 'neutral');
    await store.list(
      { invoiceId: 1, order: [], search: 'not to be found' },
      { skip: 0, limit: 50 },
    );
    scanning = false;
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('includes texts added later', async () => {
    const filter = "productFamily eq 'Brand new'";
    expect(await service.listAll({ filter })).toEqual([]);
    await service.seed([
      {
        billingAccount: account,
        invoice,
        transactions: [{ name: 'late', properties: { productFamily: 'Brand new' } }],
      },
    ]);
    expect(namesOf(await service.listAll({ filter }))).toEqual(['late']);
    expect(namesOf(await service.listAll({ search: 'brand NEW' }))).toEqual(['late']);
  });
});

function withoutDates(value: object | undefined): object {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([name]) => !/[dD]ate$|At$/.test(name)),
  );
}
