import { Writable } from 'node:stream';
import type { Transaction } from '../../../clients/billing/index.js';
import { summarize } from '../../../clients/billing/summary/spend-summary.js';
import { writeTransactions } from '../../../cli/commands/billing/transaction-output.js';

/** So many transactions, made as they are asked for. */
async function* many(count: number, asked: () => void): AsyncGenerator<Transaction> {
  for (let index = 0; index < count; index++) {
    asked();
    const properties = {
      date: '2026-01-01T00:00:00Z',
      productFamily: 'Storage',
      transactionAmount: { currency: 'USD', value: '0.1' },
    };
    yield await Promise.resolve({ id: '/x', name: `t${index}`, type: 't', properties });
  }
}

describe('a long listing', () => {
  it('is read no faster than it is written: memory stays bounded', async () => {
    let [asked, written, furthest] = [0, 0, 0];
    const slow = new Writable({
      highWaterMark: 1000,
      write(_chunk, _encoding, done) {
        written += 1;
        furthest = Math.max(furthest, asked - written);
        setImmediate(done);
      },
    });
    await writeTransactions(
      many(2000, () => (asked += 1)),
      'csv',
      { stdout: slow, env: {} },
      'neutral',
    );
    expect(written).toBeGreaterThan(1900);
    expect(furthest).toBeLessThan(50);
  });

  it('adds up exactly: a hundred thousand tenths are ten thousand', async () => {
    const { totals } = await summarize(many(100_000, () => undefined));
    expect(totals[0]?.amount.toFixed()).toBe('10000');
  });
});
