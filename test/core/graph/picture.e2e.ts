import type { Browser } from 'playwright-core';
import { renderHtml } from '../../../core/graph/html-page.js';
import type { Graph, GraphNode } from '../../../core/graph/graph.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';

/** Many apps with long names, each with a registration. */
function manyApps(): Graph {
  const names = Array.from({ length: 150 }, (_, index) => `recommendations-of-warehouse-${index}`);
  const node = (id: string, category: GraphNode['category'], section: string): GraphNode => ({
    id,
    name: id,
    category,
    section,
    type: category,
  });
  return {
    title: 'many',
    edgeKind: 'references',
    nodes: names.flatMap((name) => [
      node(name, 'app', 'Container apps'),
      node(`${name}-login`, 'credential', 'Registrations'),
    ]),
    edges: names.map((name) => ({ from: name, to: `${name}-login`, label: 'registration' })),
  };
}

describeInBrowser('a picture of many nodes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('keeps the titles of its frames within them, zoomed out and zoomed in', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.setContent(await renderHtml(manyApps()));
    const overflowingTitles = () =>
      page.evaluate<readonly string[]>(`[...document.querySelectorAll('svg .title')]
        .filter((title, at) => {
          const box = title.getBoundingClientRect();
          const frame = document.querySelectorAll('svg .frame')[at].getBoundingClientRect();
          return box.width > 0 && (box.left < frame.left || box.right > frame.right);
        })
        .map(({ textContent }) => textContent)`);
    const title = page.locator('svg .title').first();
    expect(await title.textContent()).toContain('…');
    expect(await overflowingTitles()).toEqual([]);
    for (let step = 0; step < 12; step++)
      await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await title.textContent()).not.toContain('…');
    expect(await overflowingTitles()).toEqual([]);
    await page.close();
  });

  it('is zoomed by keys as soon as it is open, but not by what is typed into its filter', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.setContent(await renderHtml(manyApps()));
    const width = () =>
      page.evaluate<number>("document.querySelector('svg[viewBox]').viewBox.baseVal.width");
    const fullWidth = await width();
    await page.keyboard.press('+');
    expect(await width()).toBeLessThan(fullWidth);
    await page.keyboard.press('0');
    expect(await width()).toBe(fullWidth);
    await page.locator('.picture input').fill('app-1');
    const filteredWidth = await width();
    await page.keyboard.press('+');
    expect(await width()).toBe(filteredWidth);
    await page.close();
  });
});
