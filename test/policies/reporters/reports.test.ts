import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { SourceText } from '../../../core/source/source-text.js';
import { mergeReports } from '../../../policies/check/check-environments.js';
import { runCheck } from '../../../policies/check/run-check.js';
import { htmlReport } from '../../../policies/reporters/html.js';
import { jsonReport } from '../../../policies/reporters/json.js';
import { markdownReport } from '../../../policies/reporters/markdown.js';
import { sarifReport } from '../../../policies/reporters/sarif.js';
import { textReport } from '../../../policies/reporters/text.js';
import { reportSchema } from '../../../policies/reporters/report-schema.js';
import { finding, hostileText, reportOf } from './example-report.js';

const steeringText = 'a\n::error::forged\n\u001b[31mred \u202Edesrever\u0007';

describe('text that would steer the terminal that shows it', () => {
  it.each([
    ['text', (message: string) => textReport(reportOf(finding({ message })))],
    ['markdown', (message: string) => markdownReport(reportOf(finding({ message })))],
    ['html', (message: string) => htmlReport(reportOf(finding({ message })))],
  ])('is shown as its escapes in %s', (_, render) => {
    const shown = render(steeringText);
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(shown).not.toMatch(/^\s*::/m);
  });

  it('is escaped where a message begins with a command of GitHub Actions or Azure Pipelines', () => {
    expect(textReport(reportOf(finding({ message: '::error::forged' })))).toContain(
      '\n  \\::error::forged',
    );
    expect(textReport(reportOf(finding({ message: '##[error]forged' })))).toContain(
      '\n  \\##[error]forged',
    );
  });

  it('is replaced character by character in lines of the source, so that the mark is right', () => {
    const source = new SourceText('castellan.yaml', 'a: "\u001b[31m" # \u202e\nstack: shop\n');
    const location = { file: 'castellan.yaml', line: 1, column: 4, endLine: 1, endColumn: 10 };
    const text = textReport({
      ...reportOf(finding({ location })),
      sources: new Map([['castellan.yaml', source]]),
    });
    expect(text).toContain('> 1 | a: "\ufffd[31m" # \ufffd\n        |    ^^^^^^\n');
  });
});

describe('the JSON report', () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(reportSchema);

  it('follows its own schema: castellan schema report', () => {
    const findingWithFix = finding({
      fix: { description: 'remove it', path: ['groups'], value: undefined },
      change: 'new',
      terraformAddress: 'a.b',
    });
    expect([
      validate(
        JSON.parse(
          jsonReport(
            reportOf(findingWithFix, finding({ message: hostileText, verdict: 'unknown' })),
          ),
        ),
      ),
      validate.errors,
    ]).toEqual([true, null]);
  });
});

describe('the SARIF report', () => {
  it('places a finding without a location in the first file that was checked', () => {
    const { location: _location, ...placeless } = finding();
    const sources = new Map([
      ['shop/castellan.yaml', new SourceText('shop/castellan.yaml', 'version: 1\n')],
    ]);
    const log = JSON.parse(sarifReport({ ...reportOf(placeless), sources })) as {
      runs: { results: unknown[] }[];
    };
    expect(log.runs[0]?.results[0]).toMatchObject({
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'shop/castellan.yaml' },
            region: { startLine: 1, startColumn: 1 },
          },
        },
      ],
    });
  });
});

describe('a report', () => {
  it('shows no secret whose finding is suppressed or in the baseline', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
    const suppression =
      '# castellan-ignore app-secret-in-env reason="for tests" owner=web until=2027-01-31';
    writeFileSync(
      join(folder, 'castellan.yaml'),
      `version: 1
stack: shop
containerApps:
  web:
    image: example.com/web:1
    env:
      ${suppression}
      API_TOKEN: hunter2-hunter2-hunter2
      NAME: { x: 1 }
`,
    );
    const now = new Date('2026-12-01');
    const check = await runCheck({ paths: ['castellan.yaml'], cwd: folder, env: {}, now });
    rmSync(folder, { recursive: true });
    expect(check.suppressed).toHaveLength(1);
    for (const text of [textReport(check), htmlReport(mergeReports([check, check]))]) {
      expect(text).toContain('API_TOKEN: •••••••');
      expect(text).not.toContain('hunter2');
    }
  });
});

it('a report shows no secret whose rule is off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
  writeFileSync(
    join(folder, 'castellan.yaml'),
    `version: 1
stack: shop
containerApps:
  web:
    image: example.com/web:1
    env:
      API_TOKEN: hunter2-hunter2-hunter2
      NAME: { x: 1 }
    secrets:
      key: hunter2-literal
      ok: { x: 1 }
`,
  );
  writeFileSync(
    join(folder, 'castellan.policy.yaml'),
    'version: 1\nrules: { secret-literal: off, app-secret-in-env: off }\n',
  );
  const check = await runCheck({ paths: ['castellan.yaml'], cwd: folder, env: {} });
  rmSync(folder, { recursive: true });
  for (const text of [textReport(check), htmlReport(mergeReports([check, check]))]) {
    expect(text).toContain('API_TOKEN: •••••••');
    expect(text).not.toContain('hunter2');
  }
});

describe('the HTML report', () => {
  it.each(['secret-literal', 'app-secret-in-env'])(
    'shows the lines of the source, and no secret that %s finds',
    (ruleId) => {
      const source = new SourceText('castellan.yaml', 'a: 1\nsecret: hunter2\nb: <b>\n');
      const location = { file: 'castellan.yaml', line: 2, column: 9, endLine: 2, endColumn: 16 };
      const secret = finding({ ruleId, location });
      const findingAfterSecret = finding({
        location: { file: 'castellan.yaml', line: 3, column: 4, endLine: 3, endColumn: 7 },
      });
      const html = htmlReport({
        ...reportOf(secret, findingAfterSecret),
        sources: new Map([['castellan.yaml', source]]),
      });
      expect(html).toContain('<code>b: <mark>&#60;b&#62;');
      expect(html).toContain('secret: •••••••');
      expect(html).not.toContain('hunter2');
    },
  );
});
