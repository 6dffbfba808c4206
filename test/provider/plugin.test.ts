import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PluginProcess, runPlugin } from '../../provider/plugin.js';

const launched = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  TF_DATA_DIR: join(mkdtempSync(join(tmpdir(), 'data-')), '.terraform'),
};
let folder = '';
const { TMPDIR: previousTmpdir } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugin-'));
});
afterEach(() => {
  if (previousTmpdir === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = previousTmpdir;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a plugin, whose terraform is gone once it has printed its address. Returns the address. */
async function start(env: PluginProcess['env']): Promise<string> {
  let line = '';
  await runPlugin({
    env,
    stdout: { write: (text) => (line += text) },
    stderr: { write: () => undefined },
    parent: () => (line === '' ? 1 : 2),
  });
  return line;
}

describe('a provider that Terraform launches', () => {
  it('listens where the path of the folder of temporary files is too long for a socket', async () => {
    process.env['TMPDIR'] = join(folder, 'x'.repeat(100));
    mkdirSync(process.env['TMPDIR']);
    expect(await start(launched)).toMatch(/^1\|6\|unix\|\/tmp\/cas-.*\/plugin\|grpc\|$/m);
  });

  it('leaves no folder behind', async () => {
    process.env['TMPDIR'] = folder;
    expect(await start(launched)).toContain(folder);
    expect(readdirSync(folder)).toEqual([]);
  });
});
