import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  animatedPicture,
  type BrowserPage,
  type PageLine,
  type TerminalRun,
} from '../../scripts/pictures/animated-picture.js';
import { castellan, root } from '../support/cli.js';
import { installPrograms, maskVaryingParts } from '../support/guide-session.js';
import { isBrowserMissing, launchBrowser } from '../support/browser.js';
import { toolPath } from '../support/require-tool.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-picture-'));
afterAll(async () => {
  await castellan(['sandbox', 'stop'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
});

const script = toolPath('script');

test.skipIf(script === undefined || isBrowserMissing())(
  'the picture of README.md shows what its commands print and its pages say (UPDATE_DOCS=1 draws it)',
  async () => {
    await castellan(['init', 'app-with-sign-in', '--name', 'shop'], { cwd: folder });
    replaceInConfig('[/healthz]', "['/*']");
    const check = onTerminal('castellan check');
    replaceInConfig("['/*']", '[/healthz]');
    const up = onTerminal('castellan up');
    const [picker, refusal] = await signInAs('Grace Hopper');
    const why = onTerminal('castellan access shop --person grace');
    const picture = animatedPicture(
      'castellan check finds an app that is open to everybody; castellan up tries it on this machine; Grace signs in and is refused; castellan access says why',
      [
        { caption: 'A mistake is found before anything is planned', seconds: 5, ...check },
        { caption: 'Corrected, the stack runs on your machine', seconds: 5, ...up },
        { caption: 'Sign in as somebody', seconds: 2.5, ...picker },
        { caption: 'Grace is refused, and reads why', seconds: 5, ...refusal },
        { caption: 'The reason, step by step', seconds: 7, ...why },
      ],
    );
    const file = join(root, 'docs/pictures/first-run.svg');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, picture);
    expect(readFileSync(file, 'utf8')).toBe(picture);
  },
);

function replaceInConfig(from: string, to: string): void {
  const file = join(folder, 'castellan.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

/** Runs a command on a terminal of 80 columns; its progress, on stderr, is left out. */
function onTerminal(command: string): TerminalRun {
  const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forced, ...env } = process.env;
  const { stdout } = spawnSync(
    script!,
    ['-qec', `stty cols 80 rows 50; ${command} 2>/dev/null`, '/dev/null'],
    {
      cwd: folder,
      env: {
        ...env,
        TERM: 'xterm-256color',
        PATH: `${installPrograms(folder)}:${process.env['PATH']}`,
      },
      encoding: 'utf8',
    },
  );
  const lines = stdout.replaceAll('\r\n', '\n').trimEnd().split('\n');
  return { command, output: lines.map(maskVaryingParts).join('\n') };
}

/** The sign-in page of the app, and what a person gets who is chosen on it. */
async function signInAs(person: string): Promise<readonly [BrowserPage, BrowserPage]> {
  const status = await castellan(['status', '--json'], { cwd: folder });
  const { url } = (JSON.parse(status.stdout) as { sandbox: { apps: { url: string }[] } }).sandbox
    .apps[0]!;
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    const readPage = async (
      styles: Readonly<Record<string, PageLine['style']>>,
    ): Promise<BrowserPage> => {
      const lines: PageLine[] = [];
      for (const [selector, style] of Object.entries(styles))
        for (const element of await page.locator(selector).filter({ visible: true }).all()) {
          const words = (await element.innerText()).split('\n').filter((word) => word.length > 2);
          lines.push({ text: words.join('  '), style });
        }
      return { address: maskVaryingParts(new URL(page.url()).origin), lines };
    };
    await page.goto(url);
    const picker = await readPage({ h1: 'heading', 'main button': 'link' });
    await page.getByText(person).click();
    await page.waitForURL(/shop\.localhost/);
    const refusal = await readPage({
      h1: 'refusal',
      '.reason': 'reason',
      '.steps .pass': 'pass',
      '.steps .decides.fail': 'fail',
      '.ways li': 'link',
    });
    return [picker, refusal];
  } finally {
    await browser.close();
  }
}
