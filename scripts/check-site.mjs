// Opens one built page of each kind of the documentation site, and fails where axe finds a serious
// problem or a page is wider than its screen. With a folder as its argument, it also writes a
// screenshot of each. Run after `npm run build` in docs/site.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const site = fileURLToPath(new URL('../docs/site/dist', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = [
  '/',
  '/guides/tour',
  '/guides/draw-a-picture',
  '/reference/configuration',
  '/reference/configuration/container-apps',
  '/reference/sidecar',
  '/rules/',
  '/rules/app-replicas',
  '/contributing/directory-service',
  '/no-such-page',
];
const screens = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
const pictures = process.argv[2];
if (pictures !== undefined) mkdirSync(pictures, { recursive: true });

/** The file of an address, as a host with clean URLs finds it. */
function fileOf(path) {
  const files = [join(site, path), join(site, `${path}.html`), join(site, path, 'index.html')];
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const problems = [];
for (const { width, colorScheme } of screens) {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await context.route('http://docs.localhost/**', (route) => {
    const file = fileOf(new URL(route.request().url()).pathname);
    return file === undefined
      ? route.fulfill({ status: 404, path: join(site, '404.html') })
      : route.fulfill({ path: file });
  });
  const page = await context.newPage();
  for (const path of pages) {
    await page.goto(`http://docs.localhost${path}`, { waitUntil: 'networkidle' });
    await page.evaluate(axe);
    const { serious, pixelsTooWide } = await page.evaluate(async () => ({
      serious: (await window.axe.run()).violations.filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      ),
      pixelsTooWide: document.documentElement.scrollWidth - innerWidth,
    }));
    for (const { id, nodes } of serious)
      problems.push(
        `${path} (${width}, ${colorScheme}): ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      );
    if (pixelsTooWide > 0)
      problems.push(
        `${path} (${width}, ${colorScheme}): ${pixelsTooWide} pixels wider than the screen`,
      );
    if (path === '/rules/') {
      await page.getByRole('button', { name: /^info / }).click();
      const emptyTables = await page.evaluate(
        () =>
          [...document.querySelectorAll('.vp-doc table')].filter(
            (table) =>
              table.querySelector('tbody tr:not([hidden])') === null && table.checkVisibility(),
          ).length,
      );
      if (emptyTables > 0) problems.push(`${path}: the filter leaves ${emptyTables} empty tables`);
      await page.getByRole('button', { name: /^all / }).click();
    }
    if (pictures !== undefined)
      await page.screenshot({
        path: join(pictures, `${path.replaceAll('/', '_')}-${width}-${colorScheme}.png`),
      });
  }
  await context.close();
}
await browser.close();
for (const each of problems) console.error(each);
console.log(
  `${pages.length} kinds of pages at ${screens.length} screens: ${problems.length} findings`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
