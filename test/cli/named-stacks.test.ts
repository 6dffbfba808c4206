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

  it('says of a document without a name, beside one that has it, that it has none', async () => {
    write('.', 'version: 1\nstack: shop\n---\nversion: 1\nstak: pay\n');
    const { exitCode, stderr } = await runCli([command], { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('castellan.yaml names no stack'),
    ]);
  });

  it('says where an overlay or an included file cannot be read', async () => {
    write('.', 'version: 1\nstack: shop\ninclude: [part.yaml]\n');
    const overlay = join(cwd, 'castellan.prod.yaml');
    writeFileSync(overlay, 'protected: true\ngroups: {a: [\n');
    writeFileSync(join(cwd, 'part.yaml'), 'groups: {}\n');
    const { exitCode, stderr } = await runCli(
      [command, ...(command === 'down' ? ['-e', 'prod'] : [])],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('\n  castellan.prod.yaml:')]);
    rmSync(overlay);
    writeFileSync(join(cwd, 'part.yaml'), 'protected: true\ngroups: {a: [\n');
    const withPart = await runCli([command], { cwd });
    expect([withPart.exitCode, withPart.stderr]).toEqual([
      1,
      expect.stringContaining('\n  part.yaml:'),
    ]);
  });

  it('takes a stack that has mistakes', async () => {
    write('.', 'version: 1\nstack: shop\ngroups: { staff: { kind: none } }\n');
    expect(await runCli([command], { cwd })).toMatchObject({ exitCode: 0 });
  });
});

test.each([
  'protected: true',
  'protected: yes',
  'protected: "true"',
  'protectd: true',
  'stak: shop\nprotected: true',
  'version: 1\nstack: shp\nprotected: true',
])('an environment whose overlay says %j is not destroyed by --auto-approve', async (overlay) => {
  write('.', 'version: 1\nstack: shop\ngroups: { staff: { kind: none } }\n');
  writeFileSync(join(cwd, 'castellan.prod.yaml'), `${overlay}\n`);
  const { exitCode, stderr } = await runCli(['down', '-e', 'prod', '--auto-approve'], { cwd });
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/CAS8102|CAS8103/);
});

test('an environment that says `protected: false` is destroyed by --auto-approve', async () => {
  write('.', 'version: 1\nstack: shop\nprotected: true\n');
  writeFileSync(join(cwd, 'castellan.prod.yaml'), 'protected: false\n');
  expect(await runCli(['down', '-e', 'prod', '--auto-approve'], { cwd })).toMatchObject({
    exitCode: 0,
  });
});
