import fc from 'fast-check';
import { parseFilter } from '../../../services/billing/query/filter.js';
import { QuerySyntaxError } from '../../../services/billing/errors.js';
import { createFieldFinder, fieldsInDialect } from '../../../services/billing/store/fields.js';
import { runs } from '../../support/property-tests.js';
import {
  matchingNames,
  startWithFilterableTransactions,
  filterableTransactions,
} from './support/filterable-transactions.js';
import type { StartedBilling } from './support/start-billing.js';

const findField = createFieldFinder(fieldsInDialect('neutral'));

describe('any filter of transactions', () => {
  let service: StartedBilling;
  beforeAll(async () => (service = await startWithFilterableTransactions()));
  afterAll(() => service.stop());

  it('is parsed or refused, whatever its text, and never fails otherwise', () => {
    const piece = fc.constantFrom(
      'date',
      'quantity',
      'eq',
      'gt',
      'and',
      'or',
      'not',
      'in',
      '(',
      ')',
      ',',
      "'",
      "''",
      '1',
      '-2.5',
      '2026-01-01',
      'null',
      'true',
      ' ',
      '/',
      'contains',
      '😀',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 30 }).map((words) => words.join(' ')),
        ),
        (source) => {
          try {
            parseFilter(source, findField);
          } catch (error) {
            if (!(error instanceof QuerySyntaxError)) throw error;
            expect(error.position).toBeGreaterThanOrEqual(0);
            expect(error.position).toBeLessThanOrEqual(Math.max(source.length, 8192));
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('agrees with a simple evaluation of the same filter, whatever its form', async () => {
    const comparison = fc
      .tuple(
        fc.constantFrom('quantity', 'units'),
        fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
        fc.constantFrom('-2', '0', '0.1', '0.3', '1', '3'),
      )
      .map(([field, operator, value]) => ({
        text: `${field} ${operator} ${value}`,
        holds: (row: (typeof filterableTransactions)[number]): boolean => {
          const actual = (row.properties as Record<string, unknown>)[field];
          if (actual === undefined) return operator === 'ne';
          // 0.3 and a bit, which a JavaScript number cannot tell from 0.3
          const [left, right] = [
            Number(actual === '0.30000000000000000001' ? '0.30000000000001' : actual),
            Number(value),
          ];
          return (
            {
              eq: left === right,
              ne: left !== right,
              lt: left < right,
              le: left <= right,
              gt: left > right,
              ge: left >= right,
            }[operator] ?? false
          );
        },
      }));
    interface FilterTree {
      text: string;
      holds: (row: (typeof filterableTransactions)[number]) => boolean;
    }
    const { tree } = fc.letrec<{ tree: FilterTree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        comparison,
        tie('tree').map((inner) => ({
          text: `not (${inner.text})`,
          holds: (row: (typeof filterableTransactions)[number]) => !inner.holds(row),
        })),
        fc
          .tuple(tie('tree'), fc.constantFrom('and', 'or'), tie('tree'))
          .map(([left, word, right]) => ({
            text: `(${left.text}) ${word} (${right.text})`,
            holds: (row: (typeof filterableTransactions)[number]) =>
              word === 'and'
                ? left.holds(row) && right.holds(row)
                : left.holds(row) || right.holds(row),
          })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async ({ text, holds }) => {
        expect(await matchingNames(service, text)).toBe(
          filterableTransactions
            .filter(holds)
            .map(({ name }) => name)
            .join(''),
        );
      }),
      { numRuns: runs(200) },
    );
  });
});
