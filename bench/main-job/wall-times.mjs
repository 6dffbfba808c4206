// Measures the main job in a new project by the clock, beside the floor: `node -e 0`, and a bare
// `terraform version`. After a build: npm run bench -- main-job
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/bin.js');
const project = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
cpSync(join(root, 'examples/storefront'), join(project, 'storefront'), { recursive: true });

function time(label, command, args) {
  const started = performance.now();
  const { status, stderr } = spawnSync(command, args, {
    cwd: project,
    env: { ...process.env, CI: '1', CHECKPOINT_DISABLE: '1' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${label} ended with ${status}:\n${stderr}`);
  return { label, seconds: ((performance.now() - started) / 1000).toFixed(2) };
}

try {
  console.table([
    time('node -e 0', process.execPath, ['-e', '0']),
    time('terraform version', process.env.CASTELLAN_TERRAFORM ?? 'terraform', ['version']),
    time('check', process.execPath, [cli, 'check', 'storefront']),
    time('synth', process.execPath, [cli, 'synth', 'storefront']),
    time('first up (starts the sandbox)', process.execPath, [cli, 'up', 'storefront']),
    time('second up (no changes)', process.execPath, [cli, 'up', 'storefront']),
    time('plan', process.execPath, [cli, 'plan', 'storefront']),
    time('down', process.execPath, [cli, 'down', '--all', 'storefront']),
  ]);
} finally {
  spawnSync(process.execPath, [cli, 'sandbox', 'stop'], { cwd: project });
  rmSync(project, { recursive: true, force: true });
}
