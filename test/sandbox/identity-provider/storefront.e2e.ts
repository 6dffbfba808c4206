import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { castellan, root } from '../../support/cli.js';
import { describeWithTool } from '../../support/require-tool.js';
import { newProject } from '../e2e-support.js';

describeWithTool('chromium', 'the storefront, applied and opened in a real browser', (chromium) => {
  const folder = newProject(join(root, 'examples/storefront'));
  afterAll(async () => {
    await castellan(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  });

  test('ada of Retail signs in and sees her name; grace, whom the rule of the shoppers leaves out, is turned away', async () => {
    const up = await castellan(['up', 'castellan.yaml'], { cwd: folder, env: { CODEHOST_SECRET: 'a secret of the code host' } });
    expect([up.exitCode, up.stderr.slice(-600)]).toEqual([0, expect.anything()]);
    const url = /https:\/\/storefront\.localhost:\d+\//.exec(up.stdout + up.stderr)?.[0] ?? '';
    const { chromium: launcher } = await import('playwright-core');
    const browser = await launcher.launch({ executablePath: chromium, args: ['--no-sandbox'] });
    try {
      const signIn = async (name: RegExp): Promise<{ page: Page; status: number; text: string }> => {
        const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
        await page.goto(`${url}basket?item=7`);
        // While the sign-in layer starts, the page that says so looks again by itself.
        await page.waitForURL(/\/sign-in\//, { timeout: 60_000 });
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url().startsWith(url) && response.status() !== 302),
          page.getByRole('button', { name }).click(),
        ]);
        return { page, status: answer.status(), text: (await page.locator('body').textContent()) ?? '' };
      };
      const ada = await signIn(/Ada Lovelace/);
      expect([ada.status, ada.text]).toEqual([200, expect.stringContaining('Signed in as Ada Lovelace')]);
      expect(ada.text).toContain('/basket?item=7');
      const grace = await signIn(/Grace Hopper/);
      expect([grace.status, grace.text]).toEqual([403, expect.stringContaining('not among those that are let in')]);
      // At the identity provider she is signed in: only its own question lets her be somebody else.
      await grace.page.getByRole('link', { name: 'Sign in again' }).click();
      await grace.page.getByRole('button', { name: /Ada Lovelace/ }).click();
      await grace.page.waitForURL(`${url}basket?item=7`);
      expect(await grace.page.locator('#name').textContent()).toBe('Ada Lovelace');
    } finally {
      await browser.close();
    }
  }, 300_000);
});
