import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { castellan, root } from '../../support/cli.js';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { newProject, startSandbox, type TestSandbox } from '../e2e-support.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const pages = [
  '',
  'simulator/storefront?person=1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071',
  'no-such-page',
  'container-apps',
  'container-apps/storefront',
  'groups',
  'groups/shoppers',
  'people',
  'people/1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071',
  'registrations',
  'registrations/Storefront%20sign-in',
  'items',
  'eventstreams/clicks',
  'eventhouses/clickstore',
  'workspaces/Telemetry',
  'billing',
  'findings',
  'activity',
  'activity?kind=all',
  'traces',
  'logs',
];

describeInBrowser('castellan console', () => {
  let sandbox: TestSandbox;
  let browser: Browser;
  let url: string;
  let folder: string;

  beforeAll(async () => {
    folder = newProject(join(root, 'examples/storefront'));
    sandbox = await startSandbox(folder);
    const upResult = await castellan(['up'], {
      cwd: folder,
      env: { CODEHOST_SECRET: 'S3CRET-of-the-code-host' },
    });
    expect([upResult.exitCode, upResult.stderr]).toEqual([0, expect.any(String)]);
    const consoleResult = await castellan(['console'], { cwd: folder });
    url = consoleResult.stdout.trim();
    expect(upResult.stdout).toContain(url);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const openConsole = async (options: { dark?: boolean } = {}): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: options.dark === true ? 'dark' : 'light',
      ignoreHTTPSErrors: true,
      bypassCSP: true,
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  };
  const goTo = async (page: Page, path: string): Promise<void> => {
    await page.evaluate(`location.hash = '#/${path}'`);
    await page.locator('main h1').waitFor();
  };

  it('refuses requests without a token, of a foreign host, and of other sites', async () => {
    const { origin } = sandbox;
    const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
      (await sandbox.send(method, `${origin}${path}`, { headers })).status;
    expect(await status('GET', '/_castellan/console/')).toBe(401);
    expect(await status('GET', '/_castellan/console/?token=wrong')).toBe(401);
    expect(await status('GET', '/_castellan/console/api/snapshot')).toBe(401);
    const token = new URL(url).search;
    expect(await status('GET', `/_castellan/console/${token}`, { host: 'evil.example' })).toBe(421);
    expect(
      await status('GET', `/_castellan/console/${token}`, { origin: 'https://evil.example' }),
    ).toBe(403);
    const startAnswer = await sandbox.send('GET', url);
    const cookie = String(startAnswer.headers['set-cookie']).split(';')[0] ?? '';
    expect([
      startAnswer.status,
      startAnswer.headers['location'],
      String(startAnswer.headers['set-cookie']),
    ]).toEqual([
      303,
      '/_castellan/console/',
      expect.stringMatching(/; Path=\/_castellan\/console\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(await status('GET', '/_castellan/console/api/snapshot', { cookie })).toBe(200);
    expect(
      await status('GET', '/_castellan/console/api/snapshot', {
        cookie,
        'sec-fetch-site': 'cross-site',
      }),
    ).toBe(403);
    expect(
      await status('POST', '/_castellan/console/api/apps/storefront/restart', { cookie }),
    ).toBe(403);
    expect(
      await status('POST', '/_castellan/console/api/apps/storefront/restart', {
        cookie,
        origin: 'null',
      }),
    ).toBe(403);
  });

  it.each([undefined, null, [], { displayName: 5, userPrincipalName: 'ada@contoso.example' }])(
    'refuses the person %j by name',
    async (body) => {
      const startAnswer = await sandbox.send('GET', url);
      const cookie = String(startAnswer.headers['set-cookie']).split(';')[0] ?? '';
      const headers = { cookie, origin: sandbox.origin, 'content-type': 'application/json' };
      const answer = await sandbox.send('POST', `${sandbox.origin}/_castellan/console/api/people`, {
        headers,
        ...omitUndefined({ body }),
      });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('displayName and userPrincipalName'),
      ]);
    },
  );

  it.each([
    [
      'shoppers',
      'Shoppers',
      /Ada Lovelace[^]*user\.department -eq "Retail"|user\.department -eq "Retail"[^]*Ada Lovelace/,
    ],
    ['storefront-admins', 'Storefront administrators', /security group[^]*Ada Lovelace/],
  ])(
    'draws the applied stack, and a click on the group %s shows its members',
    async (node, heading, text) => {
      const page = await openConsole();
      await page.locator('.picture svg a').filter({ hasText: node }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.locator('main').innerText()).toMatch(text);
      await page.context().close();
    },
  );

  it('links the nodes of diagrams that have a page, and no others', async () => {
    const page = await openConsole();
    await page.locator('.picture svg a').first().waitFor();
    const links = await page
      .locator('.picture svg a')
      .evaluateAll((elements) => elements.map((each) => each.getAttribute('href')));
    expect(links.toSorted()).toEqual([
      '#/container-apps/storefront',
      '#/eventhouses/clickstore',
      '#/eventstreams/clicks',
      '#/groups/shoppers',
      '#/groups/storefront-admins',
      '#/principals/ada',
      '#/principals/grace',
      '#/registrations/Storefront%20sign-in',
      '#/workspaces/Telemetry',
    ]);
    await page.context().close();
  });

  it('adds a person who then appears in the dynamic group, without a reload', async () => {
    const page = await openConsole();
    await goTo(page, 'people');
    await page.getByText('Add a person').click();
    await page.getByLabel('Name', { exact: true }).fill('Mary Shaw');
    await page.getByLabel('User principal name').fill('mary@contoso.example');
    await page.getByLabel('Department').fill('Retail');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Mary Shaw can sign in now.').waitFor();
    await goTo(page, 'groups/shoppers');
    await page.getByRole('rowheader', { name: 'Mary Shaw' }).waitFor({ timeout: 20_000 });
    await page.context().close();
  });

  it('changes what rules read of a person, who is let in at once, and says by which rule', async () => {
    const page = await openConsole();
    await goTo(page, 'people/grace');
    const save = async (label: string, value: string): Promise<void> => {
      await page.getByLabel(label).fill(value);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`Changed ${label}.`).waitFor();
    };
    await page.getByText('read by the rule of Shoppers').waitFor();
    await page.getByRole('link', { name: /^no: Grace is not in Shoppers/ }).waitFor();
    await save('department', 'Retail');
    await page.getByRole('link', { name: /^yes: Grace is in Shoppers/ }).waitFor();
    await save('jobTitle', 'Rear admiral');
    await save('department', 'Operations');
    await page.getByText('All properties that rules can read').click();
    await save('otherMails', 'grace@navy.example, amazing@grace.example');
    await save('extensionAttribute9', 'mark-1');
    const grace = await sandbox.api(
      'GET',
      '/v1.0/users/grace@contoso.example?$select=jobTitle,otherMails,onPremisesExtensionAttributes',
    );
    expect(grace.body).toMatchObject({
      jobTitle: 'Rear admiral',
      otherMails: ['grace@navy.example', 'amazing@grace.example'],
      onPremisesExtensionAttributes: { extensionAttribute9: 'mark-1' },
    });
    await page.getByLabel('accountEnabled').selectOption('false');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed accountEnabled.').waitFor();
    await page.getByRole('link', { name: /^no: .*disabled/ }).waitFor();
    await page.getByLabel('accountEnabled').selectOption('true');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: /^no: Grace is not in Shoppers/ }).waitFor();
    await page.context().close();
  });

  it('says on the page of a person what each app decides, and finds everybody by Ctrl+K', async () => {
    const page = await openConsole();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: /Find an app/ }).fill('grace');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: /^no: Grace is not in Shoppers/ }).click();
    await page.getByRole('heading', { name: 'Simulator' }).waitFor();
    await goTo(page, 'container-apps/storefront');
    await page
      .getByText('Sign-in required · Shoppers or anyone at codehost · /healthz public')
      .waitFor();
    await page.context().close();
  });

  it('simulates the person whose account name is in the address, or says that there is none', async () => {
    const page = await openConsole();
    await goTo(page, 'simulator/storefront?person=grace');
    await page.getByText('Grace is not in Shoppers').first().waitFor();
    await goTo(page, 'simulator/storefront?person=gracie');
    await page.getByText('There is no person “gracie” in the directory.').waitFor();
    await page.context().close();
  });

  it('counts all groups of the directory, of which it lists some', async () => {
    const page = await openConsole();
    await page.route('**/api/snapshot', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), groupCount: 201 },
      });
    });
    await page.reload();
    await page.getByRole('link', { name: '201 groups' }).waitFor();
    await page.context().close();
  });

  it('puts few steps of the simulator beside each other, and many below each other', async () => {
    const page = await openConsole();
    await page.setViewportSize({ width: 1200, height: 900 });
    await goTo(page, 'simulator/storefront?person=1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071');
    await page.locator('.chain li').first().waitFor();
    const columns = (steps: number) =>
      page.evaluate<unknown>(`(() => {
        const chain = document.querySelector('.chain');
        while (chain.children.length > ${steps}) chain.lastElementChild.remove();
        while (chain.children.length < ${steps}) chain.append(chain.lastElementChild.cloneNode(true));
        const all = [...chain.children];
        return {
          columns: new Set(all.map((step) => step.offsetLeft)).size,
          cut: all.filter((step) => {
            const content = document.createRange();
            content.selectNodeContents(step);
            const padding = parseFloat(getComputedStyle(step).paddingRight);
            const edge = step.getBoundingClientRect().right - padding;
            return content.getBoundingClientRect().right > edge;
          }).length,
        };
      })()`);
    expect(await columns(4)).toEqual({ columns: 4, cut: 0 });
    expect(await columns(6)).toEqual({ columns: 1, cut: 0 });
    await page.context().close();
  });

  it('says of a group when it was created, in UTC, and which app it opens', async () => {
    const page = await openConsole();
    await goTo(page, 'groups/shoppers');
    await page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/).waitFor();
    await page.getByRole('cell', { name: 'ada@contoso.example' }).first().waitFor();
    await goTo(page, 'groups');
    const row = page.getByRole('row').filter({ hasText: 'Shoppers' });
    await row.getByRole('link', { name: 'storefront' }).click();
    await page.getByRole('heading', { name: 'storefront', exact: true }).waitFor();
    await page.context().close();
  });

  it('lists requests with their app, and those that failed alone', async () => {
    const page = await openConsole();
    await sandbox.send('GET', `https://storefront.localhost:${sandbox.settings.port}/healthz`);
    await sandbox.send(
      'POST',
      `https://storefront.localhost:${sandbox.settings.port}/.auth/refresh`,
    );
    await goTo(page, 'traces');
    const rows = page.locator('tbody tr').filter({ hasText: 'storefront' });
    await rows.filter({ hasText: 'GET /healthz' }).first().waitFor();
    await page.getByLabel('Only refused and failed').check();
    await rows.filter({ hasText: 'GET /healthz' }).first().waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'POST /.auth/refresh' }).first().waitFor();
    await page.context().close();
  });

  it('shows operations by what they do, and each currency of an invoice that is added later', async () => {
    const page = await openConsole();
    await goTo(page, 'items');
    await page.getByRole('rowheader', { name: 'create clickstore' }).waitFor();
    writeFileSync(
      join(folder, 'billing.yaml'),
      'billing: [{ billingAccount: "1234", invoice: G000000001, generate: { count: 300, seed: 3 } }]\n',
    );
    await castellan(['sandbox', 'seed', 'billing.yaml'], { cwd: folder });
    await page.reload();
    await goTo(page, 'billing');
    for (const currency of ['EUR', 'GBP', 'USD'])
      await page.getByRole('heading', { name: `G000000001, ${currency}` }).waitFor();
    await page.context().close();
  });

  it('proves who gets in of all who may exist, and shows the steps of an example', async () => {
    const page = await openConsole();
    await goTo(page, 'simulator/storefront');
    await page
      .getByText('Yes: anyone whose userType is "Guest" and department is "Retail".')
      .waitFor();
    await page.getByRole('link', { name: 'Show the steps' }).click();
    await page.getByText('Somebody is in Shoppers: department = Retail.').waitFor();
    const rule = page.getByLabel('Does anybody get in who matches this rule?');
    await rule.fill('user.department -eq "Sales"');
    await rule.press('Enter');
    await page.getByText('Nobody (proved for all possible people).').waitFor();
    await page.context().close();
  });

  it('shows an eventstream as a flow, with its definition and the way to its eventhouse', async () => {
    const page = await openConsole();
    await page.locator('.picture svg a').filter({ hasText: 'clicks' }).first().click();
    await page.getByRole('heading', { name: 'How events flow' }).waitFor();
    await page.getByText('"type": "CustomEndpoint"').waitFor();
    await page.getByRole('link', { name: 'clickstore' }).click();
    await page.getByText('Minimum consumption units').waitFor();
    await page.getByRole('cell', { name: 'uses this one' }).first().waitFor();
    await page.getByRole('link', { name: 'Telemetry' }).click();
    await page.getByRole('rowheader', { name: 'clicks', exact: true }).waitFor();
    await page.context().close();
  });

  it('shows a line of a log as it is written, and leads from its number to the trace', async () => {
    const page = await openConsole();
    await goTo(page, 'logs');
    await page.getByText(/lines, live$/).waitFor();
    expect(await page.locator('main').getByLabel('App').inputValue()).toBe(''); // all apps
    await sandbox.send('GET', `https://storefront.localhost:${sandbox.settings.port}/live-line`);
    const line = page.locator('.log li').filter({ hasText: 'GET /live-line' });
    await line.waitFor(); // only its event brings it: the page doesn't ask again
    await line.getByRole('link').click();
    await page.locator('.waterfall').getByText('ingress GET /live-line').waitFor();
    await page.context().close();
  });

  it('applies the fix of a finding to its file, and shows the lines before', async () => {
    const file = join(folder, 'castellan.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('allowInsecure: false', 'allowInsecure: true'));
    const page = await openConsole();
    await goTo(page, 'findings');
    const finding = page.locator('.findings li').filter({ hasText: 'auth-allow-insecure' }).first();
    await finding.locator('.diff .added').filter({ hasText: 'allowInsecure: false' }).waitFor();
    await finding.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^Written to castellan\.yaml: /).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
    await finding.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('shows in its header the time of the sandbox, and switches its faults', async () => {
    const run = (...args: string[]) => castellan(['sandbox', ...args], { cwd: folder });
    const page = await openConsole();
    const header = page.locator('header');
    await header.locator('time').waitFor();
    expect(await header.locator('strong').count()).toBe(0);
    await header.getByLabel('Faults').selectOption('outage');
    await expect.poll(async () => (await run('faults')).stdout).toMatch(/^outage:\n/);
    await header.getByLabel('Faults').selectOption('off');
    await expect.poll(async () => (await run('faults')).stdout).toBe('no faults\n');
    await run('clock', '+31d');
    await header.getByText('31 days ahead').waitFor();
    await run('clock', 'resume');
    await header.getByText('31 days ahead').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('shows calls as they happen, with their bodies and without secrets', async () => {
    const page = await openConsole();
    await goTo(page, 'activity');
    await sandbox.api(
      'PATCH',
      `/v1.0/applications/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
      {
        passwordCredentials: [{ secretText: 'S3CRET' }],
      },
    );
    await page.getByRole('link', { name: 'change application 00000000…' }).first().click();
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toContain('•••');
    expect(await page.content()).not.toContain('S3CRET');
    await page.context().close();
  });

  it.each([
    [[1280, 768], false],
    [[360], true],
  ])('is accessible and fits at %j pixels (dark: %s)', async (widths, dark) => {
    const page = await openConsole({ dark });
    for (const path of pages) {
      await goTo(page, path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        // a page lays out again after the browser has resized it
        const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
        await expect.poll(overflow, { message: `${path} at ${width}` }).toBe(0);
      }
      await page.evaluate(axe);
      const violations = await page.evaluate(
        "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))",
      );
      expect({ path, violations }).toEqual({ path, violations: [] });
    }
    await page.context().close();
  });
});
