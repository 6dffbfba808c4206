import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConsoleData, type ConsoleData } from '../../../sandbox/console/console-data.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { startBilling } from '../../services/billing/support/start-billing.js';

/** What the console reads of a sandbox with an invoice and nothing else. */
async function readInvoice(entry: object): Promise<ConsoleData['invoices']> {
  const folder = mkdtempSync(join(tmpdir(), 'console-data-'));
  const paths = sandboxPaths(folder);
  const billing = [{ billingAccount: '1234', invoice: 'G000000001', ...entry }];
  mkdirSync(dirname(paths.seed), { recursive: true });
  writeFileSync(paths.seed, JSON.stringify({ billing }));
  const service = await startBilling({ dialect: 'azure', billing });
  const { invoices } = await readConsoleData({
    origin: service.origin,
    paths,
    apps: [],
    requestJson: async <T>(of: string, path: string) =>
      (of === 'billing'
        ? (await service.list(`${service.origin}${path}`)).body
        : { value: [] }) as T,
  });
  await service.stop();
  rmSync(folder, { recursive: true });
  return invoices;
}

describe('the invoices of the console', () => {
  it('say how many transactions are read, and how many there are', async () => {
    const generate = { count: 2030, seed: 1 };
    const [invoice] = await readInvoice({ generate });
    expect(invoice).toMatchObject({ readCount: 2000, totalCount: 2030 });
  });

  it('leave transactions without a date out of the sums by day', async () => {
    const transactionAmount = { currency: 'USD', value: 2 };
    const transactions = [
      { properties: { date: '2026-01-31T10:00:00Z', transactionAmount } },
      { properties: { transactionAmount } },
    ];
    expect(await readInvoice({ transactions })).toMatchObject([
      { transactionCount: 2, byDay: [{ name: '2026-01-31', amount: 2 }] },
    ]);
  });
});

test('lists of which only the beginning is read are named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-data-'));
  const { people, truncatedLists } = await readConsoleData({
    origin: 'https://localhost:8443',
    paths: sandboxPaths(folder),
    apps: [],
    requestJson: async <T>(_service: string, path: string) => {
      const { pathname, searchParams } = new URL(path, 'https://localhost');
      const page = Number(searchParams.get('$skiptoken') ?? 1);
      const value = Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` }));
      const next = { '@odata.nextLink': `https://localhost${pathname}?$skiptoken=${page + 1}` };
      if (pathname === '/v1.0/users') return { value, ...next } as T;
      const isTenth = page === 10;
      if (pathname === '/v1.0/applications') return { value, ...(isTenth ? {} : next) } as T;
      return { value: [] } as T;
    },
  });
  rmSync(folder, { recursive: true });
  expect([people.length, truncatedLists]).toEqual([1000, ['people']]);
});
