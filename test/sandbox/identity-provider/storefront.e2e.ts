import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { castellan, root } from '../../support/cli.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { newProject } from '../e2e-support.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * At the width of a phone and of a screen, light and dark: nothing overflows, and axe finds nothing
 * serious.
 */
async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const folder = process.env['CASTELLAN_SCREENSHOTS'];
      if (folder !== undefined)
        await page.screenshot({
          path: join(folder, `${name}-${String(width)}-${colorScheme}.png`),
          fullPage: true,
        });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
      await page.evaluate(axe);
      const found = await page.evaluate<{ violations: { id: string; impact: string }[] }>(
        'axe.run()',
      );
      expect(
        found.violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id }) => id),
      ).toEqual([]);
    }
}

describeInBrowser('the storefront, applied and opened in a real browser', () => {
  const folder = newProject(join(root, 'examples/storefront'));
  afterAll(async () => {
    await castellan(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  });

  test('ada of Retail signs in and sees her name; grace, whom the rule of the shoppers excludes, is refused', async () => {
    const up = await castellan(['up', 'castellan.yaml'], {
      cwd: folder,
      env: { CODEHOST_SECRET: 'a secret of the code host' },
    });
    expect([up.exitCode, up.stderr.slice(-600)]).toEqual([0, expect.anything()]);
    const url = /https:\/\/storefront\.localhost:\d+\//.exec(up.stdout + up.stderr)?.[0] ?? '';
    const browser = await launchBrowser();
    try {
      const signIn = async (
        name: RegExp,
      ): Promise<{ page: Page; status: number; text: string }> => {
        const page = await (
          await browser.newContext({ ignoreHTTPSErrors: true, bypassCSP: true })
        ).newPage();
        await page.goto(`${url}basket?item=7`);
        // While the sign-in layer starts, the page that says so looks again by itself.
        await page.waitForURL(/\/sign-in\//, { timeout: 60_000 });
        const [answer] = await Promise.all([
          page.waitForResponse(
            (response) => response.url().startsWith(url) && response.status() !== 302,
          ),
          page.getByRole('button', { name }).click(),
        ]);
        return {
          page,
          status: answer.status(),
          text: (await page.locator('body').textContent()) ?? '',
        };
      };
      const ada = await signIn(/Ada Lovelace/);
      expect([ada.status, ada.text]).toEqual([
        200,
        expect.stringContaining('Signed in as Ada Lovelace'),
      ]);
      expect(ada.text).toContain('/basket?item=7');
      const grace = await signIn(/Grace Hopper/);
      expect([grace.status, grace.text]).toEqual([
        403,
        expect.stringContaining('not among those that are let in'),
      ]);
      // At the identity provider she is signed in: only its own question lets her be someone else.
      await grace.page.getByRole('link', { name: 'Sign in again' }).click();
      const reason = grace.page
        .getByRole('group')
        .filter({ hasText: 'grace@contoso.example is not let in to storefront' });
      const rule = 'Shoppers: user.department -eq "Retail" (user.department is "Operations")';
      for (const link of [`no rule ${rule}`, 'no group Shoppers: not a member'])
        expect(await reason.textContent()).toContain(link);
      await expectAccessible(grace.page, 'sign-in');
      await grace.page.getByRole('button', { name: /Ada Lovelace/ }).click();
      await grace.page.waitForURL(`${url}basket?item=7`);
      expect(await grace.page.locator('#name').textContent()).toBe('Ada Lovelace');

      const { stdout: log } = await castellan(['logs', 'storefront'], { cwd: folder });
      for (const line of ['grace@contoso.example is not let in:', `no   rule        ${rule}`])
        expect(log).toContain(line);
      expect(log).not.toContain('ada@contoso.example is not let in');

      const consolePage = await (
        await browser.newContext({ ignoreHTTPSErrors: true, bypassCSP: true })
      ).newPage();
      await consolePage.goto((await castellan(['console'], { cwd: folder })).stdout.trim());
      await consolePage.getByRole('heading', { name: 'Overview' }).waitFor();
      await consolePage.evaluate("location.hash = '#/container-apps/storefront'");
      await consolePage.getByRole('heading', { name: 'Sign-ins that were refused' }).waitFor();
      await consolePage.getByText('grace@contoso.example', { exact: true }).click();
      await consolePage
        .getByRole('cell', {
          name: 'user.department -eq "Retail" (user.department is "Operations")',
        })
        .waitFor();
      await expectAccessible(consolePage, 'console');
    } finally {
      await browser.close();
    }
  }, 300_000);
});
