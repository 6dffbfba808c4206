import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { htmlReport } from '../../../policies/reporters/html.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { finding, hostileText, reportOf } from './example-report.js';

describeInBrowser('the HTML report in a browser', () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const report = reportOf(
    finding(),
    finding({
      severity: 'warning',
      message: 'A group has one owner: two are recommended.',
      path: ['groups', 'shoppers', 'owners'],
      fingerprint: 'b'.repeat(16),
    }),
    finding({ verdict: 'unknown', message: hostileText, fingerprint: 'c'.repeat(16) }),
  );

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => problems.push(message.text()));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    const file = join(mkdtempSync(join(tmpdir(), 'castellan-report-')), 'report.html');
    writeFileSync(file, htmlReport(report));
    await page.goto(pathToFileURL(file).href);
  });
  afterAll(() => browser.close());
  const visibleMessages = (): Promise<string[]> =>
    page.locator('#findings > li:visible .message').allInnerTexts();

  it('shows every finding under its headline', async () => {
    expect(await page.title()).toBe('Castellan: 1 error to correct');
    expect(await visibleMessages()).toHaveLength(3);
  });

  it('finds words wherever they stand', async () => {
    await page.fill('#search', 'OWNERS two');
    expect(await visibleMessages()).toEqual(['A group has one owner: two are recommended.']);
    expect(await page.locator('#shown').innerText()).toBe('1 of 3');
    await page.fill('#search', '');
  });

  it('filters by severity', async () => {
    await page.uncheck('input[value=warning]');
    expect(await visibleMessages()).toHaveLength(2);
    await page.check('input[value=warning]');
  });

  it('keeps hostile text as text, under its content security policy', async () => {
    expect((await visibleMessages()).at(-1)).toContain('<script>alert(1)</script>');
    expect(problems).toEqual([]);
  });
});
