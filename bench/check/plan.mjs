// A plan of 60 MB: checked in at most three times the time of parsing its JSON, in at most one and a half times its size of memory
// beside what an empty plan takes. node bench/check/plan.mjs [megabytes]
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const megabytes = Number(process.argv[2] ?? 60);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-bench-'));

function writePlan(file, bytes) {
  const handle = openSync(file, 'w');
  let size = writeSync(handle, '{"format_version":"1.2","resource_changes":[');
  for (let index = 0; size < bytes; index++) {
    const after = {
      display_name: `Group ${index}`,
      description: 'x'.repeat(400),
      mail_nickname: `group-${index}`,
      security_enabled: true,
      mail_enabled: false,
      types: [],
    };
    const change = { actions: ['update'], before: { ...after, description: 'y'.repeat(400) }, after, after_unknown: {} };
    const resource = {
      address: `azuread_group.group-${index}`,
      mode: 'managed',
      type: 'azuread_group',
      name: `group-${index}`,
      provider_name: 'azuread',
      change,
    };
    size += writeSync(handle, `${index === 0 ? '' : ','}${JSON.stringify(resource)}`);
  }
  writeSync(handle, ']}');
  closeSync(handle);
}

function checked(file) {
  const script = `process.argv.splice(1, 0, 'castellan');
    process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS / 1024)));
    require(${JSON.stringify(join(root, 'dist/cli/bin.js'))});`;
  const started = performance.now();
  const { stderr } = spawnSync(process.execPath, ['-e', script, 'check', '--plan', file, '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return { milliseconds: performance.now() - started, megabytes: Number(/[\d.]+$/.exec(stderr)?.[0]) };
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  const [plan, empty] = ['plan.json', 'empty.json'].map((name) => join(folder, name));
  writePlan(plan, megabytes * 1024 * 1024);
  writePlan(empty, 0);
  const parsings = [];
  const checks = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    JSON.parse(readFileSync(plan, 'utf8'));
    parsings.push(performance.now() - started);
    checks.push(checked(plan));
  }
  const parse = median(parsings);
  const whole = { milliseconds: median(checks.map((each) => each.milliseconds)), megabytes: median(checks.map((each) => each.megabytes)) };
  const none = checked(empty);
  const [time, memory] = [whole.milliseconds / parse, (whole.megabytes - none.megabytes) / megabytes];
  console.log(
    `parsing ${megabytes} MB: ${parse.toFixed(0)} ms; check: ${whole.milliseconds.toFixed(0)} ms, ${time.toFixed(2)} times (at most 3)`,
  );
  console.log(
    `memory: ${whole.megabytes.toFixed(0)} MB, an empty plan ${none.megabytes.toFixed(0)} MB: ${memory.toFixed(2)} times its size (at most 1.5)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
