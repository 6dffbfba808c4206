import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.js';

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'castellan-named-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const write = (folder: string, text: string): void => {
  mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(cwd, folder, 'castellan.yaml'), text);
};

describe.each([['down'], ['environments'], ['graph']])('castellan %s', (command) => {
  it('says where a configuration cannot be read, not that there is none', async () => {
    write('.', 'version: 1\nstack: shop\ngroups: {\n');
    const { exitCode, stderr } = await runCli([command], { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('\n  castellan.yaml:')]);
    expect(stderr).toContain('CAS8103');
  });

  it('says that there is no configuration in an empty folder', async () => {
    const { exitCode, stderr } = await runCli([command], { cwd });
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('there is no castellan.yaml in .'),
    ]);
  });
});

describe.each([['down'], ['environments']])('castellan %s', (command) => {
  it('leaves out no stack unseen', async () => {
    write('pay', 'version: 1\nstack: pay\n');
    write('shop', 'version: 1\nstack: shop\ngroups: {\n');
    const { exitCode, stderr } = await runCli([command], { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('  shop/castellan.yaml:')]);
  });

  it('says of a configuration without a name that it has none', async () => {
    write('.', 'version: 1\n');
    const { exitCode, stderr } = await runCli([command], { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('castellan.yaml names no stack'),
    ]);
  });

  it('takes a stack that has mistakes', async () => {
    write('.', 'version: 1\nstack: shop\ngroups: { staff: { kind: none } }\n');
    expect(await runCli([command], { cwd })).toMatchObject({ exitCode: 0 });
  });
});
