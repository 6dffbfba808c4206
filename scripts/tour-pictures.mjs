// Takes the screenshots of docs/guides/tour.md: node scripts/tour-pictures.mjs CHROMIUM, in a
// folder where the tour's stack is applied.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const castellan = (...args) =>
  execFileSync(process.execPath, [join(root, 'dist/cli/bin.js'), ...args], { encoding: 'utf8' });
const pictures = join(root, 'docs/guides/pictures');
mkdirSync(pictures, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({
  ignoreHTTPSErrors: true,
  viewport: { width: 1000, height: 640 },
});
const page = await context.newPage();
const screenshot = (name, options) =>
  page.screenshot({ path: join(pictures, `${name}.png`), ...options });

await page.goto(/https:\/\/shop\.localhost:\d+\//.exec(castellan('status'))[0]);
await screenshot('sign-in');
await page.getByText('Ada Lovelace').click();
await page.waitForURL(/shop\.localhost/);
await screenshot('app');
await context.clearCookies();
await page.goto(page.url());
await page.getByText('Grace Hopper').click();
await page.getByText('Step by step').waitFor();
await page.setViewportSize({ width: 1000, height: 780 });
await screenshot('refused');
await page.setViewportSize({ width: 1000, height: 640 });
await page.goto(/https:\S+token=\S+/.exec(castellan('console'))[0]);
await page.waitForLoadState('networkidle').catch(() => undefined);
await page.waitForTimeout(2000);
await screenshot('console');
await browser.close();
