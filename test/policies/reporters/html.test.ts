import { SourceText } from '../../../core/source/source-text.js';
import { htmlReport } from '../../../policies/reporters/html.js';
import { finding, reportOf } from './example-report.js';

const cardsOf = (html: string): string[] => html.split('<li ').slice(1);

it('is all clear in the HTML report only if everything was judged', () => {
  expect(htmlReport(reportOf(finding({ severity: 'info' })))).toContain('<h1>All clear</h1>');
  const unknown = htmlReport(reportOf(finding({ verdict: 'unknown' })));
  expect(unknown).toContain('<h1>Passes, with 1 unknown</h1>');
});

describe('the cards of the HTML report', () => {
  it('begin with the errors, whatever the order of the findings', () => {
    const html = htmlReport(
      reportOf(
        finding({ severity: 'info', message: 'third' }),
        finding({ severity: 'warning', message: 'second' }),
        finding({ message: 'first' }),
      ),
    );
    expect(cardsOf(html).map((card) => /first|second|third/.exec(card)?.[0])).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('are one for ten findings that say the same of ten places', () => {
    const equal = Array.from({ length: 10 }, (_, index) =>
      finding({
        location: { file: `shop-${index}/castellan.yaml`, line: 1, column: 1 },
        fingerprint: `f${index}`,
      }),
    );
    const cards = cardsOf(htmlReport(reportOf(...equal, finding({ message: 'another' }))));
    expect(cards).toHaveLength(2);
    expect(cards[0]).toContain('10 places');
    expect(cards[0]).toContain('the other 9 places');
    for (const { fingerprint } of equal) expect(cards[0]).toContain(`id="f-${fingerprint}"`);
  });

  it('mark the place in its line, however far right it is, below the fix', () => {
    const text = `${'x'.repeat(115)}wrong # the rest\n`;
    const location = { file: 'a.yaml', line: 1, column: 116, endLine: 1, endColumn: 121 };
    const fix = { description: 'write it right', path: ['x'], value: 'right' };
    const html = htmlReport({
      ...reportOf(finding({ location, fix })),
      sources: new Map([['a.yaml', new SourceText('a.yaml', text)]]),
    });
    expect(html).toContain('xxx<mark>wrong</mark> # the rest</code>');
    expect(html.indexOf('write it right')).toBeLessThan(html.indexOf('<mark>'));
  });

  it('end with what the base of a change has too', () => {
    const cards = cardsOf(
      htmlReport(
        reportOf(finding({ change: 'unchanged' }), finding({ change: 'new', severity: 'info' })),
      ),
    );
    expect(cards.map((card) => /data-group="(\w+)"/.exec(card)?.[1])).toEqual([
      'info',
      'unchanged',
    ]);
  });
});
