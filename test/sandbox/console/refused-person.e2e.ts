import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { castellan, root } from '../../support/cli.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { newProject, startSandbox, type TestSandbox } from '../e2e-support.js';

describeInBrowser('a person who is refused', () => {
  let sandbox: TestSandbox;
  let browser: Browser;
  let page: Page;
  let appUrl: string;

  beforeAll(async () => {
    const folder = newProject(join(root, 'examples/storefront'));
    const file = join(folder, 'castellan.yaml');
    const yaml = readFileSync(file, 'utf8').replace(
      'tokenStore: { enabled: true }',
      'tokenStore: { enabled: true }\n      requirements: [{ path: /admin, groups: [storefront-admins] }]',
    );
    writeFileSync(file, yaml);
    sandbox = await startSandbox(folder);
    const applied = await castellan(['up'], { cwd: folder, env: { CODEHOST_SECRET: 'S3CRET' } });
    expect([applied.exitCode, applied.stderr]).toEqual([0, expect.any(String)]);
    appUrl = `https://storefront.localhost:${sandbox.settings.port}/`;
    browser = await launchBrowser();
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    // The session of the console, as `castellan console --open` starts it.
    await page.goto((await castellan(['console'], { cwd: folder })).stdout.trim());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  it('reads why on the 403 itself, follows its trace to the simulator, tries the way out, takes it, and gets in', async () => {
    const answer = page.waitForResponse((response) => response.url().includes('/callback?'));
    await page.goto(appUrl);
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    expect((await answer).status()).toBe(403);
    const reason =
      "Grace is not in Shoppers: the rule needs department = Retail; Grace's is Operations.";
    await page.getByText(reason).waitFor();
    expect(await page.locator('.decides a').last().getAttribute('href')).toMatch(
      /^vscode:\/\/file\/.*castellan\.yaml:40:\d+$/,
    );

    // the number of the request leads to what each part did
    await page.locator('.facts a').click();
    const waterfall = page.locator('.waterfall');
    for (const part of [
      'ingress GET /.auth/login/directory/callback 403',
      'storefront sign-in identity provider call 200',
      /identity provider POST .*\/token 200/,
      /identity provider GET .*\/authorize 303/,
    ])
      await waterfall.getByText(part).first().waitFor();
    await page.locator('.log').getByText('grace@contoso.example is not let in:').waitFor();
    await page.getByRole('link', { name: 'Why, in the simulator' }).click();
    await page.getByRole('heading', { name: 'Simulator' }).waitFor();
    await page.getByText(reason).waitFor();
    await page.getByRole('link', { name: 'Try' }).click();
    await page.getByText('Grace is in Shoppers: department = Retail.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('Grace is in Shoppers: department = Retail.').waitFor();

    await page.goto(appUrl); // the identity provider still knows her
    await page.getByText('Signed in as Grace Hopper').waitFor();

    // with a session, too, at a path that needs more
    expect((await page.goto(`${appUrl}admin`))?.status()).toBe(403);
    const pathReason =
      'Grace is signed in, but not in Storefront administrators, which /admin needs.';
    await page.getByText(pathReason).waitFor();
    await page.getByText('Add Grace to Storefront administrators').waitFor();
    await page.getByRole('link', { name: 'Open in the simulator' }).click();
    await page.getByRole('heading', { name: 'Simulator' }).waitFor();
    await page.getByText(pathReason).waitFor();
  });
});
