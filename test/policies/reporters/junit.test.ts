import { execFileSync } from 'node:child_process';
import { junitReport } from '../../../policies/reporters/junit.js';
import { finding, hostileText, reportOf } from './example-report.js';

/** Parses with a real XML parser and gives the attributes of the root and the number of cases. */
function parse(xml: string): {
  attributes: Record<string, string>;
  cases: number;
  failures: number;
} {
  const program =
    'import sys,json,xml.etree.ElementTree as E;r=E.fromstring(sys.stdin.read());print(json.dumps(dict(attributes=r.attrib,cases=len(r.findall(".//testcase")),failures=len(r.findall(".//failure")))))';
  return JSON.parse(
    execFileSync('python3', ['-c', program], { input: xml, encoding: 'utf8' }),
  ) as ReturnType<typeof parse>;
}

describe('the JUnit report', () => {
  it('has one case a finding: failures, skipped for what is not known yet, output for information', () => {
    const xml = junitReport(
      reportOf(
        finding(),
        finding({ severity: 'warning' }),
        finding({ severity: 'info' }),
        finding({ verdict: 'unknown' }),
      ),
    );
    expect(parse(xml)).toMatchObject({
      attributes: { tests: '4', failures: '2', errors: '0' },
      cases: 4,
      failures: 2,
    });
    expect(xml).toContain('tests="4" failures="2" errors="0" skipped="1">');
    expect(xml.slice(0, xml.indexOf('<testsuite '))).not.toContain('skipped');
  });

  it('is a passing case when there is nothing to report, not an empty run', () => {
    expect(parse(junitReport(reportOf()))).toMatchObject({
      attributes: { tests: '1', failures: '0' },
      cases: 1,
    });
  });

  it('is well formed whatever the text', () => {
    expect(
      parse(
        junitReport(
          reportOf(
            finding({
              message: hostileText,
              ruleId: hostileText,
              path: [hostileText],
              location: { file: hostileText, line: 1, column: 1 },
            }),
          ),
        ),
      ).cases,
    ).toBe(1);
  });

  it('passes what the base of a change has too', () => {
    const xml = junitReport(
      reportOf(
        finding({ change: 'unchanged' }),
        finding({ change: 'unchanged', verdict: 'unknown' }),
        finding({ change: 'new' }),
      ),
    );
    expect(parse(xml)).toMatchObject({ attributes: { failures: '1' }, cases: 3, failures: 1 });
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="0">');
    expect(xml).not.toContain('<skipped');
  });
});
