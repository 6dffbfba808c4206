import { type Column, table } from '../../cli/table.js';
import { plainOutput } from '../../core/text/terminal.js';

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly amount: string;
}
const rows: readonly Row[] = [
  { name: 'Shoppers of the storefront', kind: 'unified', amount: '7.50' },
  { name: 'Admins\u001b[2J', kind: 'security', amount: '123456.00' },
];
const columns: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'KIND', cell: ({ kind }) => kind, omissionOrder: 2 },
  { title: 'AMOUNT', cell: ({ amount }) => amount, omissionOrder: 1, align: 'right' },
];

describe('a table', () => {
  it('is as wide as its cells, with right-aligned numbers, and prints no control characters', () => {
    expect(table(rows, columns, plainOutput)).toBe(
      [
        'NAME                        KIND         AMOUNT',
        'Shoppers of the storefront  unified        7.50',
        'Admins [2J                  security  123456.00',
        '',
      ].join('\n'),
    );
  });

  it('leaves out the least important columns on a narrow terminal, and names them', () => {
    expect(table(rows, columns, { color: false, columns: 40 })).toBe(
      [
        'NAME                        KIND',
        'Shoppers of the storefront  unified',
        'Admins [2J                  security',
        '(a wider terminal, or --format json,',
        '  also shows AMOUNT)',
        '',
      ].join('\n'),
    );
  });
});
