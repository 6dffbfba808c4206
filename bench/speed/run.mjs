// Prints the table of goals: npm run bench [-- check | plan | growth | synth | up] [--rounds 9]
// [--gate] [--store]. --gate fails where a value is 25 % worse than the stored one; --store stores
// what was measured, and writes the table of docs/benchmarks.md.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparisons } from './comparisons.mjs';
import { goals, isWithin, keyOf, rowOf, tableHeader, valueOfGoal } from './goals.mjs';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    gate: { type: 'boolean' },
    store: { type: 'boolean' },
  },
  allowPositionals: true,
});
const parts = [...new Set(goals.map(({ part }) => part))];
const unknownPart = positionals.find((each) => !parts.includes(each));
if (unknownPart !== undefined || !(Number(values.rounds) >= 1)) {
  console.error(
    unknownPart === undefined
      ? `--rounds ${values.rounds}: a number of at least 1 is needed`
      : `There is no part ${unknownPart}: ${parts.join(', ')}.`,
  );
  process.exit(2);
}
const root = fileURLToPath(new URL('../..', import.meta.url));
const mediansFile = join(root, 'bench/speed/medians.json');
const folder = mkdtempSync(join(tmpdir(), 'castellan-speed-'));
/**
 * How much worse than the stored value a run may be: the noise of a busy machine, and a little
 * more.
 */
const tolerance = 0.25;

/** The command of a peer that bench/peers has installed; undefined if it is not there. */
const installedPeer = (path) =>
  existsSync(join(root, 'bench/peers/node_modules', path))
    ? [process.execPath, join(root, 'bench/peers/node_modules', path)]
    : undefined;
const { CONFTEST: conftest = 'conftest' } = process.env;
/** The commands of the tools that Castellan is compared with; undefined for what is missing. */
const peers = {
  conftest: spawnSync(conftest, ['--version']).status === 0 ? [conftest] : undefined,
  ajv: installedPeer('ajv-cli/dist/index.js'),
  spectral: installedPeer('@stoplight/spectral-cli/dist/index.js'),
};

const storedMedians = JSON.parse(readFileSync(mediansFile, 'utf8'));
const medians = {};
const regressions = [];
let missedGoals = 0;
try {
  console.log(tableHeader);
  const measures = comparisons({ root, folder, peers });
  for (const goal of goals) {
    const { part, name, by, bound, sign } = goal;
    const storedMedian = storedMedians[keyOf(goal)];
    if (storedMedian !== undefined) medians[keyOf(goal)] = storedMedian;
    if (positionals.length > 0 && !positionals.includes(part)) continue;
    const measured = measures[part][name](Number(values.rounds));
    console.log(rowOf(goal, measured));
    if (measured === undefined) continue;
    const value = valueOfGoal(goal, measured);
    if (!isWithin(goal, value)) missedGoals += 1;
    // a time depends on the machine, so that it is not compared with the stored one
    if (bound !== undefined && storedMedian !== undefined && by !== 'time') {
      const storedValue = valueOfGoal(goal, storedMedian);
      if (!isWithin({ sign, bound: storedValue }, value, tolerance))
        regressions.push(`${keyOf(goal)}: ${value.toFixed(2)}, stored ${storedValue.toFixed(2)}`);
    }
    medians[keyOf(goal)] = roundValues(measured);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `\n${missedGoals === 0 ? 'every goal is met' : `${missedGoals} not met`}; medians of ${values.rounds} alternating rounds, node ${process.version}`,
);
if (values.store) storeMedians();
if (values.gate && regressions.length > 0) {
  console.error(
    `slower than stored by more than ${tolerance * 100} %:\n  ${regressions.join('\n  ')}`,
  );
  process.exitCode = 1;
}

function roundValues(measured) {
  return Object.fromEntries(
    Object.entries(measured).map(([kind, value]) => [kind, Number(value.toFixed(2))]),
  );
}

function storeMedians() {
  writeFileSync(mediansFile, `${JSON.stringify(medians, null, 2)}\n`);
  const page = join(root, 'docs/benchmarks.md');
  const table = [tableHeader, ...goals.map((goal) => rowOf(goal, medians[keyOf(goal)]))].join('\n');
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(tableHeader);
  const end = text.indexOf('\n\n', start);
  writeFileSync(page, `${text.slice(0, start)}${table}${text.slice(end)}`);
}
