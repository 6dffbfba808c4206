import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { castellan, root } from '../support/cli.js';
import { followGuide } from '../support/guide-session.js';
import { folderWithCastellan } from '../support/installed-package.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-first-'));
afterAll(async () => {
  await castellan(['sandbox', 'stop', '-e', 'prod'], { cwd: folder });
  await castellan(['sandbox', 'stop'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
});

test('docs/guides/first-project.md, followed with the packed package, shows what its commands print (UPDATE_DOCS=1 writes it)', async () => {
  const page = join(root, 'docs/guides/first-project.md');
  const installedCli = join(await folderWithCastellan(), 'node_modules/castellan/dist/cli/bin.js');
  const printedPage = followGuide(page, folder, installedCli);
  if (process.env['UPDATE_DOCS']) writeFileSync(page, printedPage);
  expect(readFileSync(page, 'utf8')).toBe(printedPage);
  // what the job of the workflow runs after a merge is among what the page runs; what it compares
  // with a base runs in a clone in test/cli/commands/init.test.ts
  const workflow = parse(readFileSync(join(folder, '.github/workflows/castellan.yml'), 'utf8')) as {
    jobs: Record<string, { steps: { run?: string }[] }>;
  };
  const steps = Object.values(workflow.jobs).flatMap(({ steps: jobSteps }) =>
    jobSteps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  );
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps.filter((each) => !each.includes('--base')))
    expect(printedPage).toContain(`$ ${step.replace(/@[\d.]+/, '')}`);
  expect(printedPage).toContain('shop: no changes\n$ npx castellan adopt');
});
