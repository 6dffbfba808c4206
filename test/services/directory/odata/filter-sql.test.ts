import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { type Database, openDatabase } from '../../../../services/common/database.js';
import {
  compileFilter,
  filterPredicate,
  type FilterNode,
  foldCase,
  jsonOperand,
  parseFilter,
  registerSqlFunctions,
  type SqlMapping,
} from '../../../../services/directory/odata/index.js';
import { Sql } from '../../../../services/directory/store/sql.js';
import { emptyPostgres } from '../../../support/postgres.js';
import { describeWithTool } from '../../../support/require-tool.js';
import { anyFilter, anyObject } from './filter-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

type Tables = Kysely<Record<string, Record<string, unknown>>>;

const forms = {
  department: 'text',
  mail: 'text',
  createdDateTime: 'date',
  level: 'number',
  enabled: 'boolean',
  tags: 'collection',
} as const;

function mappingOf(engine: Database['engine']): SqlMapping {
  return {
    engine,
    operand([name = '']) {
      if (name === 'displayName') return { form: 'folded', expression: sql`o.display_name` };
      const form = forms[name as keyof typeof forms];
      return form && jsonOperand(engine, 'o.body', [name], form);
    },
  };
}

async function storeObjects(
  database: Database,
  objects: readonly Record<string, unknown>[],
): Promise<void> {
  const connection = database.connection as unknown as Tables;
  const collation = database.engine === 'postgres' ? sql`collate "C"` : sql``;
  await sql`drop table if exists filtered`.execute(connection);
  await sql`create table filtered (number integer, display_name text ${collation}, body text)`.execute(
    connection,
  );
  for (const [number, object] of objects.entries()) {
    const name = typeof object['displayName'] === 'string' ? foldCase(object['displayName']) : null;
    await sql`insert into filtered values (${number}, ${name}, ${JSON.stringify(object)})`.execute(
      connection,
    );
  }
}

async function findNumbers(database: Database, filter: FilterNode): Promise<number[]> {
  const condition = compileFilter(filter, mappingOf(database.engine), 'Thing');
  const rows = await new Sql(database).query<{ number: number }>(
    sql`select number from filtered o where ${condition} order by number`,
  );
  return rows.map(({ number }) => number);
}

function testFilters(open: () => Promise<Database>, usualRuns: number): void {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    if (database.sqlite) registerSqlFunctions(database.sqlite);
  });
  afterAll(() => database.close());

  it('selects the same objects as the evaluator in memory', async () => {
    const objects = fc.sample(anyObject, 40);
    await storeObjects(database, objects);
    await fc.assert(
      fc.asyncProperty(anyFilter, async (filter) => {
        const matches = filterPredicate(filter);
        const expected = objects.flatMap((object, number) => (matches(object) ? [number] : []));
        expect(await findNumbers(database, filter)).toEqual(expected);
      }),
      { numRuns: runs(usualRuns) },
    );
  });

  it('compares folded columns by range, so that their index serves a prefix', () => {
    const condition = compileFilter(
      parseFilter("startsWith(displayName,'Sal')"),
      mappingOf(database.engine),
      'Thing',
    );
    const { sql: text, parameters } = condition.compile(database.connection);
    expect(text).toMatch(/o\.display_name >= (\?|\$1) and o\.display_name < (\?|\$2)/);
    expect(parameters).toEqual(['sal', 'sal\u{10ffff}']);
  });

  it('refuses a property without a column', () => {
    expect(() =>
      compileFilter(parseFilter("nothing eq 'x'"), mappingOf(database.engine), 'Thing'),
    ).toThrow(
      "Unsupported or invalid query filter clause specified for property 'nothing' of resource 'Thing'.",
    );
  });
}

describe('a filter in SQL, on SQLite', () => testFilters(() => openDatabase('memory:'), 600));

describeWithTool('postgres', 'a filter in SQL, on PostgreSQL', () =>
  testFilters(async () => openDatabase(await emptyPostgres()), 200),
);
