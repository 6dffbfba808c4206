import { githubReport } from '../../../policies/reporters/github.js';
import { finding, hostileText, reportOf } from './example-report.js';

describe('the GitHub report', () => {
  it('annotates the line with the rule as its title', () => {
    expect(githubReport(reportOf(finding())).annotations).toBe(
      '::error title=eventhouse-consumption-units,file=shop/castellan.yaml,line=12,col=30,endLine=12,endColumn=34::50.5 units are not allowed: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50 or 51 to 322.\n',
    );
  });

  it('names files by their path in the repository', () => {
    const report = { ...reportOf(finding()), folderInRepository: 'infra' };
    expect(githubReport(report).annotations).toContain('file=infra/shop/castellan.yaml,');
  });

  it('never prints more than ten annotations a level, and says how many are in the job summary', () => {
    const many = Array.from({ length: 25 }, (_, index) => finding({ fingerprint: String(index) }));
    const { annotations, jobSummary } = githubReport(
      reportOf(...many, ...many.map((each) => ({ ...each, severity: 'info' as const }))),
    );
    const lines = annotations.trim().split('\n');
    for (const level of ['error', 'warning', 'notice'])
      expect(lines.filter((line) => line.startsWith(`::${level} `)).length).toBeLessThanOrEqual(10);
    expect(lines.at(-1)).toBe('::notice title=castellan::31 more findings are in the job summary');
    expect(jobSummary.match(/^\| `shop/gm)).toHaveLength(50);
  });

  it('keeps hostile text in one command', () => {
    const { annotations } = githubReport(
      reportOf(finding({ message: hostileText, ruleId: hostileText })),
    );
    expect(annotations.trim().split('\n')).toHaveLength(1);
    expect(annotations.match(/^::/gm)).toHaveLength(1);
  });

  it('annotates what a change adds, and has the rest in the job summary', () => {
    const old = Array.from({ length: 12 }, (_, index) =>
      finding({ fingerprint: String(index), change: 'unchanged' }),
    );
    const { annotations, jobSummary } = githubReport(
      reportOf(...old, finding({ change: 'new', message: 'added' })),
    );
    expect(annotations.trim().split('\n')).toEqual([expect.stringMatching(/^::error .*::added$/)]);
    expect(jobSummary).toContain('#### Unchanged (12)');
  });
});
