import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, runCli } from '../../support/run-cli.js';
import {
  account,
  invoice,
  startBilling,
  type StartedBilling,
} from '../../services/billing/support/start-billing.js';

const run = (cwd: string, ...args: string[]): Promise<CliRun> => runCli(args, { cwd });

const amount = (value: string, currency = 'USD'): object => ({ currency, value });
const transactions = [
  {
    name: 't1',
    properties: {
      date: '2026-01-10T00:00:00Z',
      productFamily: 'Storage',
      invoiceSectionDisplayName: 'Shop',
      transactionType: 'purchase',
      invoice,
      transactionAmount: amount('0.1'),
    },
  },
  {
    name: 't2',
    properties: {
      date: '2026-01-20T00:00:00Z',
      productFamily: 'Storage',
      invoiceSectionDisplayName: 'Shop, "new"',
      transactionType: 'cycleCharge',
      invoice: 'Pending',
      transactionAmount: amount('0.2'),
    },
  },
  {
    name: 't3',
    properties: {
      date: '2026-02-14T00:00:00Z',
      productFamily: 'Compute',
      invoiceSectionDisplayName: 'Shop',
      transactionType: 'cycleCharge',
      invoice,
      transactionAmount: amount('12345678901234567.89'),
    },
  },
  {
    name: 't4',
    tags: { owner: 'shop, "new"', 'cost.center': '7' },
    properties: {
      date: '2026-02-14T00:00:00Z',
      productFamily: 'Compute',
      transactionType: 'refund',
      invoice,
      transactionAmount: amount('-5', 'EUR'),
    },
  },
];

describe.each(['neutral', 'azure'] as const)('castellan billing (%s)', (dialect) => {
  let service: StartedBilling;
  let cwd: string;
  const invoiceFlags = (): string[] => [
    '--account',
    account,
    '--invoice',
    invoice,
    '--endpoint',
    service.origin,
  ];
  const summarizeWithBudget = (file: string) =>
    run(cwd, 'billing', 'summary', ...invoiceFlags(), '--budget', file);
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'billing-'));
    service = await startBilling({
      dialect,
      billing: [{ billingAccount: account, invoice, transactions }],
    });
  });
  afterAll(() => service.stop());

  it('lists as a table', async () => {
    const { exitCode, stdout, stderr } = await run(
      cwd,
      'billing',
      'transactions',
      ...invoiceFlags(),
      '--order-by',
      'name',
    );
    expect([exitCode, stderr]).toEqual([0, '4 transactions\n']);
    expect(stdout.split('\n')[0]).toMatch(/^DATE +TYPE +PRODUCT FAMILY/);
    expect(stdout).toContain('2026-01-20  cycleCharge   Storage');
    expect(stdout).toContain('12345678901234567.89 USD');
  });

  it('lists as JSON without losing a digit', async () => {
    const { exitCode, stdout } = await run(
      cwd,
      'billing',
      'transactions',
      ...invoiceFlags(),
      '--json',
      '--filter',
      'transactionAmount/value gt 1',
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stdout).toContain('"value":12345678901234567.89');
    expect(
      (
        await run(
          cwd,
          'billing',
          'transactions',
          ...invoiceFlags(),
          '--json',
          '--search',
          'nothing',
        )
      ).stdout,
    ).toBe('[]\n');
  });

  it('lists as CSV that the service imports to the same transactions', async () => {
    const { stdout } = await run(
      cwd,
      'billing',
      'transactions',
      ...invoiceFlags(),
      '--csv',
      '--order-by',
      'name',
    );
    const file = join(cwd, `${dialect}.csv`);
    writeFileSync(file, stdout);
    const importingService = await startBilling({
      dialect,
      billing: [{ billingAccount: account, invoice, import: file }],
    });
    try {
      expect(await importingService.listAll()).toEqual(await service.listAll());
    } finally {
      await importingService.stop();
    }
  });

  it('prints only the error when the service refuses', async () => {
    for (const format of [[], ['--csv'], ['--json']]) {
      const { exitCode, stdout, stderr } = await run(
        cwd,
        'billing',
        'transactions',
        ...invoiceFlags(),
        '--filter',
        'colour eq 1',
        ...format,
      );
      expect([exitCode, stdout.replace(/^\{"version":1,"error":.*\}\n$/, 'the mistake')]).toEqual([
        2,
        format[0] === '--json' ? 'the mistake' : '',
      ]);
      expect(stderr).toContain('InvalidFilter');
    }
    const emptyRun = await run(
      cwd,
      'billing',
      'transactions',
      ...invoiceFlags(),
      '--search',
      'nothing',
      '--csv',
    );
    expect(emptyRun.stdout).toMatch(/^id,name,type,[^\n]*\r\n$/);
  });

  it('stops after --limit', async () => {
    expect(
      JSON.parse(
        (await run(cwd, 'billing', 'transactions', ...invoiceFlags(), '--json', '--limit', '2'))
          .stdout,
      ),
    ).toHaveLength(2);
  });

  it('sums up exactly, currency by currency', async () => {
    const { exitCode, stdout } = await run(cwd, 'billing', 'summary', ...invoiceFlags());
    expect(exitCode).toBe(0);
    expect(stdout).toMatchSnapshot();
    const data = JSON.parse(
      (await run(cwd, 'billing', 'summary', ...invoiceFlags(), '--json')).stdout,
    ) as {
      totals: object[];
      byMonth: object[];
    };
    expect(data.totals).toEqual([
      { name: 'total', currency: 'EUR', amount: '-5', transactions: 1 },
      { name: 'total', currency: 'USD', amount: '12345678901234568.19', transactions: 3 },
    ]);
    expect(data.byMonth).toContainEqual({
      name: '2026-01',
      currency: 'USD',
      amount: '0.3',
      transactions: 2,
    });
  });

  it('draws the chart', async () => {
    const files = [join(cwd, 'chart.svg'), join(cwd, 'chart.html')] as const;
    await run(cwd, 'billing', 'summary', ...invoiceFlags(), '--svg', files[0], '--html', files[1]);
    expect(readFileSync(files[0], 'utf8')).toMatch(/^<svg .*Compute.*<\/svg>\n$/s);
    expect(readFileSync(files[0], 'utf8')).not.toContain('Shop, "new"');
    expect(readFileSync(files[1], 'utf8')).toMatch(/^<!doctype html>.*<svg /s);
  });

  it('fails with a finding when a budget is exceeded, now or by the forecast', async () => {
    const file = join(cwd, 'budget.yaml');
    writeFileSync(
      file,
      [
        'budgets:',
        '  - { name: storage, productFamily: Storage, amount: 0.29 }',
        '  - { name: exact, productFamily: Storage, amount: 0.30 }',
        '  - name: compute',
        '    productFamily: Compute',
        '    period: month',
        '    amount: 20000000000000000',
      ].join('\n'),
    );
    const { exitCode, stdout } = await summarizeWithBudget(file);
    expect(exitCode).toBe(1);
    const findings = stdout.split('\n').filter((line) => line.includes('billing-budget'));
    expect(findings).toEqual([
      `${file}:2:54: error billing-budget: the budget "storage" is passed: 0.30 USD of 0.29 USD were spent`,
      `${file}:7:13: error billing-budget: the budget "compute" will be passed in 2026-02: at this pace 24691357802469135.78 USD of 20000000000000000.00 USD are spent at the end of the month`,
    ]);
    writeFileSync(file, 'budgets:\n  - { name: enough, amount: 99999999999999999 }\n');
    expect((await summarizeWithBudget(file)).exitCode).toBe(0);
  });

  it('warns of a budget that counts no transaction, which nothing exceeds', async () => {
    const file = join(cwd, 'unmatched.yaml');
    const budgets = 'budgets:\n  - { name: euros, currency: EUR, section: Lager, amount: 1 }\n';
    writeFileSync(file, budgets);
    const { exitCode, stdout } = await summarizeWithBudget(file);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `${file}:2:59: warning billing-budget: the budget "euros" counts no transaction: none is in EUR and of the section "Lager"`,
    );
  });

  it.each([
    ['budget: 5', ':1:1: a budget file is a map with a list "budgets"'],
    ['budgets:\n  - amount: lots', ':2:13: amount must be a number'],
    ['budgets:\n  - amuont: 5', ':2:5: "amuont" is not a key of a budget; did you mean "amount"?'],
    ['budgets:\n  - { amount: 5, period: week }', ':2:26: period must be month or total'],
  ])('refuses the budget file %j', async (text, message) => {
    const file = join(cwd, 'broken.yaml');
    writeFileSync(file, text);
    const { exitCode, stderr } = await summarizeWithBudget(file);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`CAS1003`);
    expect(stderr).toContain(message);
  });

  it('prints the error of the service', async () => {
    const { exitCode, stderr } = await run(
      cwd,
      'billing',
      'transactions',
      ...invoiceFlags(),
      '--filter',
      'colour eq 1',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /CAS5001.*400 InvalidFilter: filter: "colour" is not a field.*\(request [0-9a-f-]{36}\)/s,
    );
  });

  it.each([
    ['--endpoint', 'ftp://x'],
    ['--dialect', 'french'],
    ['--limit', '0'],
  ])('refuses %s %s', async (flag, value) => {
    expect(
      (await run(cwd, 'billing', 'transactions', ...invoiceFlags(), flag, value)).exitCode,
    ).toBe(2);
  });
});
