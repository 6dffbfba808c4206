import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPlans, type StackPlan } from '../../../cli/apply/plan-stacks.js';
import type { Progress } from '../../../cli/apply/progress.js';
import type { ApplySession } from '../../../cli/apply/session.js';

describe('an apply that fails', () => {
  const directory = mkdtempSync(join(tmpdir(), 'castellan-apply-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(directory, name), JSON.stringify(content));

  it('is reported, even if its state cannot be read afterwards', async () => {
    write('cdk.tf.json', { terraform: { backend: { local: { path: 'shop.tfstate' } } } });
    write('shop.tfstate', { serial: 1, lineage: 'shop', encrypted_data: 'x' });
    const terraformProgram = join(directory, 'tofu');
    const script = '[ "$1" = apply ] && echo "no right to create" >&2 || echo "no key"\nexit 1';
    writeFileSync(terraformProgram, `#!/bin/sh\n${script}\n`);
    chmodSync(terraformProgram, 0o755);
    const stack = { name: 'shop', directory, env: process.env };
    const sandbox = { projectDir: directory };
    const plan = { stack, changes: [], isClean: false, movedAddresses: [], plan: {} };
    const lines: string[] = [];
    const progress: Progress = {
      isTerminal: false,
      run: (tasks) => Promise.all(tasks.map(({ work }) => work((line) => lines.push(line)))),
    };
    await expect(
      applyPlans(
        [plan as unknown as StackPlan],
        { terraformProgram, sandbox } as unknown as ApplySession,
        progress,
      ),
    ).rejects.toThrow('no right to create');
    expect(lines).toEqual([
      expect.stringMatching(/^the record of created objects is not up to date: [^]*no key/),
    ]);
  });
});
