import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, root } from '../support/cli.js';
import { followGuide } from '../support/guide-session.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-tour-'));
afterAll(async () => {
  await castellan(['sandbox', 'stop'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
});

test('docs/guides/tour.md shows what its commands print (UPDATE_DOCS=1 writes it)', () => {
  const page = join(root, 'docs/guides/tour.md');
  const pageWithOutputs = followGuide(page, folder);
  if (process.env['UPDATE_DOCS']) writeFileSync(page, pageWithOutputs);
  expect(readFileSync(page, 'utf8')).toBe(pageWithOutputs);
});
