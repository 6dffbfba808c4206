import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { sarifReport } from '../../../policies/reporters/sarif.js';
import { finding, hostileText, reportOf } from './example-report.js';
import schema from './fixtures/sarif-2.1.0.schema.json';

const ajv = addFormats(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }));
const validate = ajv.compile(schema);
interface Log {
  readonly runs: readonly {
    readonly results: readonly Record<string, unknown>[];
    readonly tool: { readonly driver: { readonly rules: readonly { id: string }[] } };
  }[];
}
const results = (text: string): readonly Record<string, unknown>[] =>
  (JSON.parse(text) as Log).runs[0]?.results ?? [];

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
      reportOf(
        finding({
          message: hostileText,
          path: [hostileText],
          location: { file: `a b/${hostileText}.yaml`, line: 1, column: 1 },
        }),
      ),
    ],
  ])('follows the official schema with %s', (_case, report) => {
    validate(JSON.parse(sarifReport(report)));
    expect(validate.errors).toBeNull();
  });

  it('keeps to what code scanning takes, the most serious first, and says what it left out', () => {
    const many = [
      ...Array.from({ length: 20_000 }, (_, index) =>
        finding({ severity: 'info', fingerprint: `info ${String(index)}` }),
      ),
      ...Array.from({ length: 6_000 }, (_, index) =>
        finding({ severity: 'error', fingerprint: `error ${String(index)}` }),
      ),
    ];
    const text = sarifReport(reportOf(...many));
    const log = JSON.parse(text) as { runs: { invocations: object[]; properties: object }[] };
    expect(results(text)).toHaveLength(25_000);
    expect(results(text).filter(({ level }) => level === 'error')).toHaveLength(6_000);
    expect(log.runs[0]?.properties).toMatchObject({ resultsLeftOut: 1_000 });
    expect(JSON.stringify(log.runs[0]?.invocations)).toContain('1000 results are left out');
    expect(JSON.stringify(JSON.parse(sarifReport(reportOf(finding()))))).not.toContain('left out');
    const firstResults = { runs: [{ ...log.runs[0], results: results(text).slice(0, 3) }] };
    validate({ ...log, ...firstResults });
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

  it('names files by their path in the repository', () => {
    const report = { ...reportOf(finding()), folderInRepository: 'in fra' };
    const [result] = results(sarifReport(report));
    expect(JSON.stringify(result)).toContain('"uri":"in%20fra/shop/castellan.yaml"');
  });

  it('calls what is only known after apply open, with no level', () => {
    expect(results(sarifReport(reportOf(finding({ verdict: 'unknown' }))))[0]).toMatchObject({
      kind: 'open',
      level: 'none',
    });
  });

  it('leaves out what passed', () => {
    expect(results(sarifReport(reportOf(finding({ verdict: 'pass' }))))).toEqual([]);
  });

  it('points from each result at its rule', () => {
    const log = JSON.parse(
      sarifReport(reportOf(finding({ ruleId: 'b' }), finding({ ruleId: 'a' }))),
    ) as Log;
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    for (const result of log.runs[0]?.results ?? [])
      expect(rules[result['ruleIndex'] as number]?.id).toBe(result['ruleId']);
  });

  it('has the line that uses a library beside the one in it', () => {
    const text = sarifReport(
      reportOf(finding({ usedAt: { file: 'main.ts', line: 12, column: 3 } })),
    );
    expect(validate(JSON.parse(text))).toBe(true);
    expect(results(text)[0]?.['relatedLocations']).toMatchObject([
      {
        physicalLocation: {
          artifactLocation: { uri: 'main.ts' },
          region: { startLine: 12, startColumn: 3 },
        },
      },
    ]);
  });

  it('says what a change adds and what its base has too', () => {
    const states = (['new', 'unchanged', undefined] as const).map((change) => {
      const text = sarifReport(reportOf(finding(change && { change })));
      const { runs } = JSON.parse(text) as {
        runs: readonly { results: readonly { baselineState?: string }[] }[];
      };
      return runs[0]?.results[0]?.baselineState;
    });
    expect(states).toEqual(['new', 'unchanged', undefined]);
  });
});
