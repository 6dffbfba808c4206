import { commentMarker, markdownReport } from '../../../policies/reporters/markdown.js';
import { finding, hostileText, reportOf } from './example-report.js';

describe('the Markdown report', () => {
  it('begins with its marker and the verdict, and ends with the numbers', () => {
    const text = markdownReport(reportOf(finding()));
    expect(text.startsWith(`${commentMarker}\n### Castellan: changes needed\n`)).toBe(true);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '_1 file, 9 resources, 40 rules: 1 error, 0 warnings, 2 suppressed, 0 unknown (0.08 s), no policy_',
    );
  });

  it('is all clear only where everything was judged', () => {
    expect(markdownReport(reportOf())).toContain('### Castellan: all clear\n');
    expect(markdownReport(reportOf(finding({ verdict: 'unknown' })))).toContain(
      '### Castellan: passes, with 1 not judged\n',
    );
  });

  it('groups by severity and links the rule', () => {
    const text = markdownReport(
      reportOf(finding(), finding({ severity: 'warning' }), finding({ verdict: 'unknown' })),
    );
    for (const heading of ['#### Errors (1)', '#### Warnings (1)', '#### Not judged (1)'])
      expect(text).toContain(heading);
    expect(text).toContain('[`eventhouse-consumption-units`](https://example.test/rules/units)');
  });

  it('stays below the length of a comment and says what was left out', () => {
    const text = markdownReport(reportOf(...Array.from({ length: 2_000 }, () => finding())));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/\d+ more findings are in the full report/);
  });

  it('keeps hostile text in its cell', () => {
    const row =
      markdownReport(reportOf(finding({ message: hostileText })))
        .split('\n')
        .find((line) => line.startsWith('| `shop')) ?? '';
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
    expect(row).not.toContain('<script>');
    expect(row).not.toContain('@everyone');
  });

  it('makes no links of addresses in messages', () => {
    const message = 'see https://evil.example/a, WWW.evil.example and ftp://evil.example';
    const text = markdownReport(reportOf(finding({ message })));
    expect(text).toContain(
      'see https\\://evil.example/a, WWW\\.evil.example and ftp\\://evil.example',
    );
  });

  it('shows what looks like an entity as it is, and mentions nobody by one', () => {
    const text = markdownReport(reportOf(finding({ message: 'is "a &lt; b", &commat;octocat' })));
    expect(text).toContain('is "a \\&lt; b", \\&commat;octocat');
  });

  it('lists what the base of a change has too by itself', () => {
    const text = markdownReport(
      reportOf(finding({ change: 'unchanged' }), finding({ change: 'new' })),
    );
    expect(text).toContain('#### Errors (1)');
    expect(text.indexOf('#### Unchanged (1)')).toBeGreaterThan(text.indexOf('#### Errors (1)'));
  });
});
