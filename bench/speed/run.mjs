// Prints the table of speed: npm run bench [-- check | plan | growth | synth | up] [--rounds 9]
// [--gate] [--store]. --gate fails where a ratio is 25 % worse than the stored one; --store stores
// the measured ones.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goals } from './goals.mjs';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    gate: { type: 'boolean' },
    store: { type: 'boolean' },
  },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const stored = join(root, 'bench/speed/medians.json');
const folder = mkdtempSync(join(tmpdir(), 'castellan-speed-'));
/**
 * How much worse than the stored ratio a run may be: the noise of a busy machine, and a little
 * more.
 */
const tolerance = 0.25;

const installed = (path) =>
  existsSync(join(root, 'bench/peers/node_modules', path))
    ? [process.execPath, join(root, 'bench/peers/node_modules', path)]
    : undefined;
const { CONFTEST: conftest = 'conftest' } = process.env;
const peers = {
  conftest: spawnSync(conftest, ['--version']).status === 0 ? [conftest] : undefined,
  ajv: installed('ajv-cli/dist/index.js'),
  spectral: installed('@stoplight/spectral-cli/dist/index.js'),
};

const known = existsSync(stored) ? JSON.parse(readFileSync(stored, 'utf8')) : {};
const medians = { ...known };
const worse = [];
let above = 0;
try {
  console.log('| what | goal | by the clock | processor time | |\n|---|---|---|---|---|');
  const rows = goals({ root, folder, peers });
  // removes stored ratios of deleted rows
  const names = rows.map(([group, name]) => `${group}: ${name}`);
  for (const key of Object.keys(medians)) if (!names.includes(key)) delete medians[key];
  for (const [group, name, { bound, sign }, measure] of rows) {
    if (positionals.length > 0 && !positionals.includes(group)) continue;
    const goal = sign === undefined ? '' : `${sign} ${bound}`;
    const found = measure(Number(values.rounds));
    if (found === undefined) {
      console.log(
        `| ${name} | ${goal} | | | not measured: the peer is not installed (see docs/benchmarks.md) |`,
      );
      continue;
    }
    const { wall, processor, memory, count } = found;
    // the gate compares processor time, which other programs disturb less
    const held = count ?? memory ?? processor ?? wall;
    const isMet = sign === undefined || (sign === '<=' ? held <= bound : held >= bound);
    if (!isMet) above += 1;
    const text = (value) => (value === undefined ? '' : value.toFixed(2));
    console.log(
      `| ${name} | ${goal} | ${text(count ?? memory ?? wall)} | ${text(processor)} | ${isMet ? '' : '**not met**'} |`,
    );
    // times depend on the machine: only ratios are stored
    if (name.endsWith(', in ms')) continue;
    const key = `${group}: ${name}`;
    const before = known[key];
    if (
      before !== undefined &&
      sign !== undefined &&
      (sign === '<=' ? held > before * (1 + tolerance) : held < before / (1 + tolerance))
    )
      worse.push(`${key}: ${held.toFixed(2)}, stored ${before.toFixed(2)}`);
    medians[key] = Number(held.toFixed(3));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `\n${above === 0 ? 'every goal is met' : `${above} not met`}; medians of ${values.rounds} rounds in turns, node ${process.version}`,
);
if (values.store) writeFileSync(stored, `${JSON.stringify(medians, null, 2)}\n`);
if (values.gate && worse.length > 0) {
  console.error(`slower than stored by more than ${tolerance * 100} %:\n  ${worse.join('\n  ')}`);
  process.exitCode = 1;
}
