import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, openOwnDatabase } from '../../../sandbox/control-plane/sandbox-folder.js';
import { prepareSandboxFolder, sandboxPaths } from '../../../sandbox/paths.js';

test('an empty DATABASE_URL counts as none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-folder-'));
  const closers: Closers = [];
  try {
    const paths = sandboxPaths(folder);
    prepareSandboxFolder(paths);
    expect(await openOwnDatabase(paths, { DATABASE_URL: '' }, closers)).toMatchObject({
      engine: 'sqlite',
    });
  } finally {
    for (const close of closers) await close();
    rmSync(folder, { recursive: true });
  }
});
