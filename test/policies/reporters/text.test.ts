import { SourceText } from '../../../core/source/source-text.js';
import { textReport } from '../../../policies/reporters/text.js';
import { finding, reportOf } from './example-report.js';

const source = new SourceText(
  'shop/castellan.yaml',
  `${'#\n'.repeat(11)}  clickstore: { workspace: telemetry, minimumConsumptionUnits: 50.5 } # what it keeps running\n`,
);
const report = {
  ...reportOf(
    finding({
      location: source.location(source.text.indexOf('50.5'), source.text.indexOf('50.5') + 4),
      fix: { description: 'write 51', path: [], value: 51 },
    }),
  ),
  sources: new Map([[source.file, source]]),
};

describe('the report for people', () => {
  it.each([40, 80])(
    'fits a terminal of %d columns: no line is longer, and the mark is below what it marks',
    (columns) => {
      const text = textReport(report, { color: false, columns });
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      const lines = text.split('\n');
      const mark = lines.findIndex((line) => line.includes('^^^^'));
      expect(
        lines[mark - 1]?.slice(lines[mark]?.indexOf('^'), (lines[mark]?.indexOf('^') ?? 0) + 4),
      ).toBe('50.5');
      expect(text).toContain('1 can be fixed by castellan fix');
    },
  );

  it('paints the severity, the rule (a link to its page) and the mark', () => {
    const text = textReport(report, { color: true, columns: 100 });
    expect(text).toContain('\u001b[31merror\u001b[0m');
    expect(text).toContain(
      '\u001b]8;;https://example.test/rules/units\u001b\\\u001b[1meventhouse-consumption-units\u001b[0m\u001b]8;;\u001b\\',
    );
    expect(text).toMatch(
      /\| \u001b\[0m\u001b\[31m +\^{4}\u001b\[0m|\|\u001b\[0m\u001b\[31m +\^{4}\u001b\[0m/,
    );
  });

  it('is plain text of any width in a file', () => {
    const text = textReport(report);
    expect(text).not.toMatch(/\u001b/);
    expect(text).toContain(
      '> 12 |   clickstore: { workspace: telemetry, minimumConsumptionUnits: 50.5 } # what it keeps running\n',
    );
    expect(text).not.toContain('castellan fix');
  });
});
