import { Writable } from 'node:stream';
import type { Transaction } from '../../../clients/billing/index.js';
import { summarize } from '../../../clients/billing/summary/spend-summary.js';
import { writeTransactions } from '../../../cli/commands/billing/transaction-output.js';

/** As many transactions as `count` says, each created when it is requested. */
async function* transactions(count: number, onRequest: () => void): AsyncGenerator<Transaction> {
  for (let index = 0; index < count; index++) {
    onRequest();
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
    let [requestedCount, writtenCount, largestLead] = [0, 0, 0];
    const slow = new Writable({
      highWaterMark: 1000,
      write(_chunk, _encoding, done) {
        writtenCount += 1;
        largestLead = Math.max(largestLead, requestedCount - writtenCount);
        setImmediate(done);
      },
    });
    await writeTransactions(
      transactions(2000, () => (requestedCount += 1)),
      'csv',
      { stdout: slow, env: {} },
      'neutral',
    );
    expect(writtenCount).toBeGreaterThan(1900);
    expect(largestLead).toBeLessThan(50);
  });

  it('is summed exactly: a hundred thousand tenths are ten thousand', async () => {
    const { totals } = await summarize(transactions(100_000, () => undefined));
    expect(totals[0]?.amount.toFixed()).toBe('10000');
  });
});
