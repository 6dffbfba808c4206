import { account, invoice, startBilling, type StartedBilling } from './support/start-billing.js';

describe('listing the transactions of an invoice', () => {
  let service: StartedBilling;
  beforeAll(async () => {
    service = await startBilling({
      billing: [{ billingAccount: account, invoice, generate: { count: 230, seed: 'a' } }],
    });
  });
  afterAll(() => service.stop());

  it('returns pages of 50 with an absolute next link, every transaction once', async () => {
    const { status, body } = await service.list();
    expect(status).toBe(200);
    expect(body.value).toHaveLength(50);
    expect(body.nextLink).toMatch(
      new RegExp(`^${service.origin}/providers/Svc.Billing/billingAccounts/`),
    );
    const all = await service.listAll();
    expect(new Set(all.map(({ name }) => name as string)).size).toBe(230);
  });

  it('has no next link on the last page', async () => {
    const { body } = await service.list({ skip: '200' });
    expect(Object.keys(body as object)).toEqual(['value']);
    expect(body.value).toHaveLength(30);
  });

  it.each(['9223372036854775807', '9007199254740993', '1000000'])(
    'skips everything by %s',
    async (skip) => {
      const { status, body } = await service.list({ skip });
      expect([status, body.value]).toEqual([200, []]);
    },
  );

  it('bills in several currencies, each total in the currency of its section', async () => {
    const all = await service.listAll();
    const currencies = new Map<string, Set<string>>();
    for (const { properties: each } of all) {
      const amountCurrencies = [each.subTotal, each.tax, each.transactionAmount].map(
        ({ currency }) => String(currency),
      );
      expect(new Set(amountCurrencies)).toEqual(new Set([each.billingCurrency]));
      const sectionCurrencies = currencies.get(each.invoiceSectionDisplayName) ?? new Set();
      currencies.set(each.invoiceSectionDisplayName, sectionCurrencies.add(each.billingCurrency));
      if (each.billingCurrency === each.pricingCurrency) expect(each.exchangeRate).toBe(1);
    }
    expect([...currencies.values()].map((sectionCurrencies) => sectionCurrencies.size)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(
      new Set([...currencies.values()].flatMap((sectionCurrencies) => [...sectionCurrencies])).size,
    ).toBeGreaterThan(1);
  });

  it('skips once, also over several pages', async () => {
    const all = await service.listAll();
    expect(await service.listAll({ skip: '13', top: '7' })).toEqual(all.slice(13));
  });

  /**
   * @claim billing-count: count=true adds the number of transactions that match.
   * @source https://learn.microsoft.com/rest/api/billing/transactions/list-by-invoice
   */
  it('counts matching transactions, on every page', async () => {
    const first = await service.list({ count: 'true', top: '20' });
    expect(first.body.totalCount).toBe(230);
    expect((await service.list(first.body.nextLink as string)).body.totalCount).toBe(230);
    expect((await service.list()).body).not.toHaveProperty('totalCount');
    const usage = (await service.listAll()).filter(
      ({ properties }) => properties.transactionType === 'cycleCharge',
    ).length;
    expect(
      (await service.list({ count: 'true', filter: "transactionType eq 'cycleCharge'" })).body
        .totalCount,
    ).toBe(usage);
  });

  it.each([
    [{ top: '51' }, 'top'],
    [{ top: '-1' }, 'top'],
    [{ top: 'x' }, 'top'],
    [{ top: '1.5' }, 'top'],
    [{ skip: '-1' }, 'skip'],
    [{ skip: '9223372036854775808' }, 'skip'],
    [{ skip: '99999999999999999999999999' }, 'skip'],
    [{ skip: '1e3' }, 'skip'],
    [{ top: '9223372036854775808' }, 'top'],
    [{ count: 'yes' }, 'count'],
    [{ skiptoken: 'nonsense' }, 'skiptoken'],
    [{ filter: 'date gt' }, 'filter'],
    [{ orderBy: 'date up' }, 'orderBy'],
    [{ 'api-version': '' }, 'api-version'],
    [{ 'api-version': '1999-01-01' }, 'api-version'],
  ])('refuses %p in the billing error shape', async (query, target) => {
    const { status, body } = await service.list(query as Record<string, string>);
    expect(status).toBe(400);
    expect(Object.keys(body.error as object)).toEqual([
      'code',
      'message',
      'target',
      'details',
      'additionalInfo',
    ]);
    expect(body.error.target).toBe(target);
  });

  /**
   * @claim billing-api-version: A request without api-version is 400.
   * @source https://learn.microsoft.com/rest/api/billing/transactions/list-by-invoice
   */
  it('requires an api-version', async () => {
    const { status, body } = await service.list(`${service.origin}${service.path}`);
    expect([status, body.error.code]).toEqual([400, 'MissingApiVersionParameter']);
  });

  it.each([
    ['123', 'G123456789', 404],
    ['pcn.ABC123', 'G123456789', 404],
    ['PCN.abc', 'H1-ABC', 404],
    ['pcnXabc', 'G123456789', 400],
    ['abc', 'G123456789', 400],
    ['123', 'X123456789', 400],
    ['123', 'HT123456789', 404],
    ['123', 'D123456789', 404],
    ['123', 'EB12345678', 404],
    ['123', 'EA12345678', 404],
    ['123', 'G12345678', 400],
    ['123', 'G123456789x', 400],
    [account, 'T999999999', 404],
    [account.replace('_2019-05-31', ''), 'G123456789', 400],
  ])('checks account %s and invoice %s: %d', async (accountName, invoiceName, expected) => {
    const path = `/providers/Svc.Billing/billingAccounts/${accountName}/invoices/${invoiceName}/transactions?api-version=2024-04-01`;
    expect((await service.list(`${service.origin}${path}`)).status).toBe(expected);
  });

  it.each([
    'date',
    'date desc',
    'transactionAmount/value',
    'properties/transactionAmount/value desc',
    'pricingCurrency,date desc',
    'creditType desc,units',
    'name',
  ])('orders by %s over all pages', async (orderBy) => {
    const ordered = await service.listAll({ orderBy, top: '17' });
    expect(ordered).toHaveLength(230);
    const valueOf = (transaction: Record<string, unknown>, path: string): unknown => {
      const words = path.split('/').filter((word) => word !== 'properties');
      let value: unknown = words[0] === 'name' ? transaction : transaction['properties'];
      for (const word of words) value = (value as Record<string, unknown> | undefined)?.[word];
      return value ?? null;
    };
    const compare = (left: unknown, right: unknown): number =>
      left === right
        ? 0
        : left === null
          ? -1
          : right === null
            ? 1
            : (left as number) < (right as number)
              ? -1
              : 1;
    for (let index = 1; index < ordered.length; index++) {
      for (const key of orderBy.split(',')) {
        const [path = '', direction] = key.split(' ');
        const sign =
          compare(valueOf(ordered[index - 1], path), valueOf(ordered[index], path)) *
          (direction === 'desc' ? -1 : 1);
        expect(sign).toBeLessThanOrEqual(0);
        if (sign < 0) break;
      }
    }
  });

  it('pages an ordered listing without repeating or missing any while more are added', async () => {
    const before = (await service.listAll()).map(({ name }) => name as string);
    for (const orderBy of ['', 'date desc', 'productFamily,units desc']) {
      const names: string[] = [];
      let page = await service.list({ orderBy, top: '30' });
      for (let round = 0; ; round++) {
        names.push(...page.body.value.map(({ name }: { name: string }) => name));
        await service.seed([
          { billingAccount: account, invoice, generate: { count: 5, seed: `${orderBy}${round}` } },
        ]);
        if (page.body.nextLink === undefined || round > 60) break;
        page = await service.list(page.body.nextLink as string);
      }
      expect(new Set(names).size).toBe(names.length);
      const namesBefore = new Set(before);
      expect(names.filter((name) => namesBefore.has(name)).length).toBe(before.length);
    }
  });

  /**
   * @claim billing-skip-token: A page token of another listing is 400 with the code
   *   InvalidSkipToken.
   * @guess no page names the code
   */
  it('refuses a token of another listing', async () => {
    const { body } = await service.list({ top: '5', orderBy: 'date' });
    const link = new URL(body.nextLink as string);
    link.searchParams.set('orderBy', 'date desc');
    const answer = await service.list(link.href);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'InvalidSkipToken']);
  });

  /**
   * @claim billing-search: search looks for a text in every field, letter case ignored.
   * @guess the page does not say which fields are searched
   */
  it('searches texts in any case, including the name, with every character literal', async () => {
    const [firstTransaction] = await service.listAll();
    expect(
      await service.listAll({ search: (firstTransaction.name as string).toUpperCase() }),
    ).toHaveLength(1);
    const labs = await service.listAll({ search: 'research AND "labs"' });
    expect(labs.length).toBeGreaterThan(10);
    expect(
      labs.every(
        ({ properties }) => properties.invoiceSectionDisplayName === 'Research and "Labs"',
      ),
    ).toBe(true);
    expect(await service.listAll({ search: '%' })).toEqual([]);
    expect(await service.listAll({ search: '_' })).not.toHaveLength(0);
    expect(await service.listAll({ search: 'storefrontusd' })).toEqual([]);
    expect(await service.listAll({ search: '=storage' })).toEqual([]);
  });

  it('searches letters beyond ASCII in any case', async () => {
    const seedEntry = {
      billingAccount: account,
      invoice: 'G000000777',
      transactions: [{ name: 'x', properties: { productDescription: 'Größe ÄÖÜ' } }],
    };
    await service.seed([seedEntry]);
    const path = service.path.replace(invoice, 'G000000777');
    for (const [search, count] of [
      ['größe äöü', 1],
      ['GRÖSSE', 0],
      ['GRÖßE', 1],
      ['ö', 1],
      ['é', 0],
    ] as const) {
      const { body } = await service.list(
        `${service.origin}${path}?api-version=2024-04-01&search=${encodeURIComponent(search)}`,
      );
      expect([search, body.value.length]).toEqual([search, count]);
    }
  });
});
