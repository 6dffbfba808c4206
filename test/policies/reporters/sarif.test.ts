import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { sarifReport } from '../../../policies/reporters/sarif.js';
import { finding, hostile, reportOf } from './example-report.js';
import schema from './fixtures/sarif-2.1.0.schema.json';

const ajv = addFormats(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }));
const validate = ajv.compile(schema);
interface Log {
  readonly runs: readonly {
    readonly results: readonly Record<string, unknown>[];
    readonly tool: { readonly driver: { readonly rules: readonly { id: string }[] } };
  }[];
}
const results = (text: string): readonly Record<string, unknown>[] => (JSON.parse(text) as Log).runs[0]?.results ?? [];

describe('the SARIF report', () => {
  it.each([
    ['no findings', reportOf()],
    [
      'every severity and verdict',
      reportOf(
        finding(),
        finding({ severity: 'warning' }),
        finding({ severity: 'info' }),
        finding({ verdict: 'unknown' }),
        finding({ verdict: 'pass' }),
      ),
    ],
    ['a rule that is not known', reportOf(finding({ ruleId: 'own-rule' }))],
    [
      'hostile text',
      reportOf(finding({ message: hostile, path: [hostile], location: { file: `a b/${hostile}.yaml`, line: 1, column: 1 } })),
    ],
  ])('follows the official schema with %s', (_case, report) => {
    validate(JSON.parse(sarifReport(report)));
    expect(validate.errors).toBeNull();
  });

  it('locates a result in its source, by a relative address, with the region of the value', () => {
    expect(results(sarifReport(reportOf(finding())))[0]).toMatchObject({
      level: 'error',
      kind: 'fail',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'shop/castellan.yaml' },
            region: { startLine: 12, startColumn: 30, endLine: 12, endColumn: 34 },
          },
        },
      ],
      partialFingerprints: { 'castellan/v1': '0123456789abcdef' },
    });
  });

  it('calls what is only known after apply open, with no level', () => {
    expect(results(sarifReport(reportOf(finding({ verdict: 'unknown' }))))[0]).toMatchObject({ kind: 'open', level: 'none' });
  });

  it('leaves out what passed', () => {
    expect(results(sarifReport(reportOf(finding({ verdict: 'pass' }))))).toEqual([]);
  });

  it('points from each result at its rule', () => {
    const log = JSON.parse(sarifReport(reportOf(finding({ ruleId: 'b' }), finding({ ruleId: 'a' })))) as Log;
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    for (const result of log.runs[0]?.results ?? []) expect(rules[result['ruleIndex'] as number]?.id).toBe(result['ruleId']);
  });
});
