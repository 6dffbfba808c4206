import type { Finding } from '../../../core/findings/finding.js';
import type { Report } from '../../../policies/reporters/report.js';

/** A finding with everything that a reporter can show, and the properties that a test is about. */
export function finding(properties: Partial<Finding> = {}): Finding {
  return {
    ruleId: 'eventhouse-consumption-units',
    messageId: 'notAllowed',
    parameters: { given: 50.5 },
    verdict: 'fail',
    severity: 'error',
    message: '50.5 units are not allowed: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50 or 51 to 322.',
    location: { file: 'shop/castellan.yaml', line: 12, column: 30, endLine: 12, endColumn: 34 },
    path: ['eventhouses', 'clickstore', 'minimumConsumptionUnits'],
    fingerprint: '0123456789abcdef',
    ...properties,
  };
}

/** A report of these findings. */
export function reportOf(...findings: Finding[]): Report {
  const countOf = (severity: Finding['severity']): number =>
    findings.filter((each) => each.verdict === 'fail' && each.severity === severity).length;
  return {
    findings,
    version: '1.2.3',
    rules: new Map([
      [
        'eventhouse-consumption-units',
        {
          id: 'eventhouse-consumption-units',
          title: 'Units the service knows',
          why: 'The service refuses others.',
          severity: 'error',
          helpUri: 'https://example.test/rules/units',
        },
      ],
    ]),
    summary: {
      files: 1,
      resources: 9,
      rules: 40,
      errors: countOf('error'),
      warnings: countOf('warning'),
      infos: countOf('info'),
      suppressed: 2,
      unknown: findings.filter(({ verdict }) => verdict === 'unknown').length,
      milliseconds: 81,
    },
  };
}

/** Text that tries to break out of every format. */
export const hostileText = `"><script>alert(1)</script> ]]> & %0A::error::x\n::set-output name=a::b | \`code\` @everyone \u0007 ü 🏰`;
