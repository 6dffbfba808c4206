import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { renderHtml } from '../../../core/graph/html-page.js';
import type { Graph, GraphNode } from '../../../core/graph/graph.js';
import { htmlReport } from '../../../policies/reporters/html.js';
import { describeGrouping, groupPlan } from '../../../policies/sources/plan/grouped-plan.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { finding, hostileText, reportOf } from './example-report.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const changes = ['create', 'update', 'replace', 'delete', 'forget', 'unchanged'] as const;
const nodes = Array.from({ length: 300 }, (_, index): GraphNode => {
  const change = changes[index % changes.length] ?? 'create';
  const name = `azuread_type_${String(index % 20)}.resource_${String(index)}`;
  return {
    id: `n${String(index)}`,
    name,
    type: change,
    section: change,
    category: 'resource',
    change,
  };
});
const edges = nodes.map(({ id }, index) => ({
  from: id,
  to: `n${String((index * 7) % 300)}`,
  label: 'owners',
}));
const plan: Graph = {
  title: `a-plan-with-a-long-name-${'x'.repeat(60)}.json`,
  edgeKind: 'references',
  nodes,
  edges,
};

describeInBrowser('a page by itself', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(
    ['light', 'dark'].flatMap((scheme) =>
      [360, 768, 1280].map((width) => [scheme as 'light' | 'dark', width] as const),
    ),
  )(
    'is accessible and fits, %s, at %d pixels: the report and the picture of a large plan',
    async (colorScheme, width) => {
      const picture = groupPlan(plan);
      const pages = {
        plan: await renderHtml(picture, { fullGraph: plan, note: describeGrouping(plan, picture) }),
        report: htmlReport(
          reportOf(
            finding(),
            finding({ verdict: 'unknown', message: hostileText, fingerprint: 'c'.repeat(16) }),
          ),
        ),
      };
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      const page = await context.newPage();
      for (const [name, html] of Object.entries(pages)) {
        await page.setContent(html);
        await page.evaluate(axe);
        const violations = await page.evaluate(
          "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) => violations.map(({ id }) => id))",
        );
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ name, found: violations, overflow }).toEqual({ name, found: [], overflow: 0 });
      }
      await context.close();
    },
  );
});
