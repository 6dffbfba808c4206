import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Terraform } from '../../../stacks/engine/terraform.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-terraform-'));
const program = join(folder, 'terraform');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in Terraform's place: notes what it was asked, then does as the script says. */
function pretend(script: string): void {
  writeFileSync(program, `#!/bin/sh\necho "$@" >> "${join(folder, 'asked')}"\n${script}\n`);
  chmodSync(program, 0o755);
}

const untilTerminated = `trap 'echo ended; exit 1' TERM\necho '{"type":"apply_start"}'\nwhile :; do sleep 0.05; done`;

describe('the real Terraform, run', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is waited for at %s, and nothing more is begun', async (signal) => {
    pretend(signal === 'SIGTERM' ? untilTerminated : `echo '{"type":"apply_start"}'\nsleep 0.3`);
    const terraform = new Terraform({ program, directory: folder, env: process.env, onEvent: () => process.emit(signal, signal) });
    await expect(terraform.apply('x.tfplan')).rejects.toMatchObject({ code: 'CAS2105' });
    expect([process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')]).toEqual([0, 0]);
  });

  it('waits for a state that somebody still writes', async () => {
    pretend('exit 0');
    await new Terraform({ program, directory: folder, env: process.env }).apply('x.tfplan');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('-lock-timeout=120s');
  });

  it('says what it said', async () => {
    pretend(`echo '{"type":"diagnostic","diagnostic":{"severity":"error","summary":"No luck","address":"a.b"}}'\nexit 1`);
    const applied = new Terraform({ program, directory: folder, env: process.env }).apply('x.tfplan');
    await expect(applied).rejects.toMatchObject({ code: 'CAS2103', message: expect.stringContaining('- a.b: No luck') });
  });
});
