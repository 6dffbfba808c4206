import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'castellan-status-'));
  mkdirSync(join(cwd, '.castellan'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const appliedState = JSON.stringify({
  resources: [
    { mode: 'managed', instances: [{}, {}] },
    { mode: 'data', instances: [{}] },
  ],
});

describe('the status of a stack', () => {
  it.each([
    ['2 resources applied', appliedState],
    ['nothing applied', '{"resources":[]}'],
    ['nothing applied', ''],
    [
      'applied; its state is encrypted, and `castellan plan` reads it',
      '{"serial":3,"lineage":"a","encrypted_data":"b2s="}',
    ],
    ["its state can't be read; `castellan up` puts it right", appliedState.slice(0, 20)],
  ])('is "%s" by its state file: %s', async (said, state) => {
    writeFileSync(join(cwd, '.castellan', 'terraform.shop.tfstate'), state);
    expect(await runCli(['status'], { cwd })).toEqual({
      exitCode: 0,
      stdout: `sandbox: not running\nshop: ${said}\n`,
      stderr: '',
    });
  });

  it("says in JSON that a state can't be read", async () => {
    writeFileSync(join(cwd, '.castellan', 'terraform.shop.tfstate'), '{');
    const { stdout } = await runCli(['status', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      stacks: [{ name: 'shop', resources: 0, unreadable: true }],
    });
  });
});
