import { githubReport } from '../../../policies/reporters/github.js';
import { htmlReport } from '../../../policies/reporters/html.js';
import { jsonReport } from '../../../policies/reporters/json.js';
import { junitReport } from '../../../policies/reporters/junit.js';
import { markdownReport } from '../../../policies/reporters/markdown.js';
import type { Report } from '../../../policies/reporters/report.js';
import { sarifReport } from '../../../policies/reporters/sarif.js';
import { textReport } from '../../../policies/reporters/text.js';
import { finding, reportOf } from './example-report.js';

const terraformAddress = 'module.shop.azuread_group.shoppers';
const formats: Readonly<Record<string, (report: Report) => string>> = {
  github: (report) => githubReport(report).annotations,
  html: htmlReport,
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  sarif: sarifReport,
  text: (report) => textReport(report),
};

describe('the address of a finding about a resource', () => {
  it.each(Object.keys(formats))('is in the %s report of a finding that has a line', (name) => {
    const text = formats[name]?.(reportOf(finding({ terraformAddress }))).replaceAll('\\_', '_');
    expect(text).toContain(terraformAddress);
  });

  it.each(Object.keys(formats))('is in the %s report of a finding without a line', (name) => {
    const { location: _location, ...findingWithoutLine } = finding({ terraformAddress });
    expect(formats[name]?.(reportOf(findingWithoutLine))).toContain(terraformAddress);
  });

  it('is in the message of SARIF, which is all that code scanning shows', () => {
    const { runs } = JSON.parse(sarifReport(reportOf(finding({ terraformAddress })))) as {
      runs: {
        results: { message: { text: string } }[];
        tool: { driver: { informationUri: string } };
      }[];
    };
    expect(runs[0]?.results[0]?.message.text).toMatch(
      /^module\.shop\.azuread_group\.shoppers: 50\.5 units/,
    );
    expect(runs[0]?.tool.driver.informationUri).toMatch(/^https:\/\//);
  });
});
