import { emptyPostgres } from '../../support/postgres.js';
import { describeWithTool } from '../../support/require-tool.js';
import { account, invoice, startBilling, type StartedBilling } from './support/start-billing.js';

describeWithTool('postgres', 'the billing service on PostgreSQL', () => {
  let database: string;
  let services: readonly [StartedBilling, StartedBilling];
  const billing = [{ billingAccount: account, invoice, generate: { count: 400, seed: 'pg' } }];
  beforeAll(async () => {
    database = await emptyPostgres();
    services = [await startBilling({ billing }), await startBilling({ billing, database })];
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });

  it.each([
    {},
    { orderBy: 'date desc', top: '33' },
    { orderBy: 'creditType,transactionAmount/value desc', top: '29' },
    { orderBy: 'productFamily desc,units', filter: "not (transactionType eq 'refund')", top: '41' },
    {
      filter:
        "units gt 100.5 and (pricingCurrency eq 'EUR' or contains(productDescription,'Disk'))",
    },
    { filter: "startswith(productType,'Ev') or endswith(productType,'ance')", orderBy: 'name' },
    { filter: 'date ge 2025-06-01 and date lt 2025-07-01', orderBy: 'date' },
    { filter: 'creditType eq null and isThirdParty', skip: '3' },
    { filter: "invoice in ('Pending')", orderBy: 'date' },
    { search: 'research AND "labs"', orderBy: 'transactionAmount/value' },
  ])('returns what SQLite returns: %j', async (query) => {
    const [sqlite, onPostgres] = await Promise.all(
      services.map((service) => service.listAll(query as Record<string, string>)),
    );
    expect(sqlite?.length).toBeGreaterThan(0);
    expect(onPostgres).toEqual(sqlite);
  });

  it('counts as SQLite does, and adds nothing when it is seeded again', async () => {
    await services[1].seed(billing);
    expect(
      (await services[1].list({ count: 'true', filter: 'quantity gt 5' })).body.totalCount,
    ).toBe((await services[0].list({ count: 'true', filter: 'quantity gt 5' })).body.totalCount);
    expect((await services[1].list({ count: 'true' })).body.totalCount).toBe(400);
  });

  it('keeps the first of two transactions with one name', async () => {
    const duplicates = ['All', 'Other'].map((kind) => ({ name: 'twice', properties: { kind } }));
    for (const service of services) {
      await service.seed([{ billingAccount: account, invoice, transactions: duplicates }]);
      expect(await service.listAll({ filter: "name eq 'twice'" })).toMatchObject([
        { properties: { kind: 'All' } },
      ]);
    }
  });
});
