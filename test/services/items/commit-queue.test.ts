import { type Database, openDatabase } from '../../../services/common/database.js';
import { createCommitQueue } from '../../../services/items/store/commit-queue.js';
import { startItems, workspacePath } from './support/start-items.js';

/** A database with a table `items_label`, and how many transactions it began. */
async function openLabelDatabase(): Promise<{
  database: Database;
  names: () => unknown[];
  transactions: () => number;
}> {
  const database = await openDatabase('memory:');
  database.sqlite?.exec(
    'create table items_label (seq integer primary key, id text unique, display_name text)',
  );
  const transaction = vi.spyOn(database.connection, 'transaction');
  const names = (): unknown[] =>
    (database.sqlite?.prepare('select id from items_label order by id').all() ?? []).map(
      (row) => (row as { id: string }).id,
    );
  return { database, names, transactions: () => transaction.mock.calls.length };
}

test('concurrent changes share a commit, and a failed one is undone alone', async () => {
  const { database, names, transactions } = await openLabelDatabase();
  const commits = createCommitQueue(database);
  const add = (id: string, fail: boolean): Promise<string> =>
    commits.run(async (transaction) => {
      await transaction.insertInto('items_label').values({ id, display_name: id }).execute();
      if (fail) throw new Error(`no ${id}`);
      return id;
    });
  const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => add(id, id === 'b')));
  expect(
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
  ).toEqual(['a', 'Error: no b', 'c', 'd']);
  expect(names()).toEqual(['a', 'c', 'd']);
  expect(transactions()).toBe(1);
  await database.close();
});

test('nothing is acknowledged when the commit itself fails, and later changes work', async () => {
  const { database, names } = await openLabelDatabase();
  database.sqlite?.exec(
    'create table parent (id text primary key); create table child (id text references parent (id) deferrable initially deferred)',
  );
  const commits = createCommitQueue(database);
  const label = (id: string): Promise<unknown> =>
    commits.run((transaction) =>
      transaction.insertInto('items_label').values({ id, display_name: id }).execute(),
    );
  // A reference to nowhere is only found by the commit.
  const broken = commits.run(() =>
    Promise.resolve(database.sqlite?.exec("insert into child values ('nowhere')")),
  );
  const outcomes = await Promise.allSettled([label('a'), broken, label('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(names()).toEqual([]);
  await label('later');
  expect(names()).toEqual(['later']);
  await database.close();
});

test('of creations that race for the same names exactly one of each wins, and each gets its own result', async () => {
  const service = await startItems();
  const names = Array.from({ length: 120 }, (_, index) => `stream-${index % 40}`);
  const answers = await Promise.all(
    names.map((displayName) =>
      service.call('POST', `${workspacePath}/eventstreams`, { body: { displayName } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(40);
  expect(
    answers.filter(
      ({ status, body }) => status === 409 && body.errorCode === 'ItemDisplayNameAlreadyInUse',
    ),
  ).toHaveLength(80);
  answers.forEach(
    ({ status, body }, index) => status === 201 && expect(body.displayName).toBe(names[index]),
  );
  await service.stop();
});
