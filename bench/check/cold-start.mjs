// How long a cold `castellan check` of the storefront takes, side by side with `node -e 0`: at most three times as long.
// node bench/check/cold-start.mjs [rounds]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rounds = Number(process.argv[2] ?? 15);
const commands = { 'node -e 0': ['-e', '0'], 'castellan check': ['dist/cli/bin.js', 'check', 'examples/storefront'] };
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));

for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
    times[name].push(performance.now() - started);
  }
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const [node, check] = Object.values(times).map(median);
const ratio = check / node;
console.log(`node -e 0: ${node.toFixed(0)} ms; castellan check: ${check.toFixed(0)} ms; ${ratio.toFixed(2)} times (at most 3)`);
process.exitCode = ratio <= 3 ? 0 : 1;
