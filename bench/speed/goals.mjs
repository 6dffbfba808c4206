// The comparisons with their goals: the one list behind `npm run bench`, medians.json and the table
// of docs/benchmarks.md.

const atMost = (bound) => ({ bound, sign: '<=' });
const atLeast = (bound) => ({ bound, sign: '>=' });

/**
 * Each comparison: its part of the bench, its name and its goal. `by` is the measure of the goal:
 * by default the ratio of processor times; `time` is a processor time itself, in milliseconds.
 */
export const goals = [
  { part: 'check', name: 'first check of 50 lines / node -e 0', ...atMost(2.5) },
  { part: 'check', name: '… with Node 22 or later, after an earlier run', ...atMost(1.8) },
  { part: 'check', name: 'conftest / check, equal rules, 1 MB', ...atLeast(1.2) },
  { part: 'check', name: 'conftest / check, equal rules, 200 files', ...atLeast(1) },
  { part: 'check', name: 'conftest with seven rules and no schema / check with all, 1 MB' },
  { part: 'check', name: 'conftest with seven rules and no schema / check with all, 200 files' },
  { part: 'check', name: 'ajv-cli / check, 50 lines', ...atLeast(3) },
  { part: 'check', name: 'ajv-cli / check, 1 MB', ...atLeast(2) },
  { part: 'check', name: 'spectral / check, equal rules, 50 lines', ...atLeast(5) },
  { part: 'check', name: 'spectral / check, equal rules, 1 MB', ...atLeast(3) },
  { part: 'check', name: 'spectral / check, equal rules, 200 files', ...atLeast(12) },
  { part: 'check', name: 'all rules / eight, 1 MB', ...atMost(1.25) },
  { part: 'check', name: 'modules of cdktf and providers in a check', by: 'count', ...atMost(0) },
  { part: 'plan', name: 'plan of 60 MB, all known / JSON.parse', ...atMost(3) },
  { part: 'plan', name: '… many unknowns', ...atMost(4) },
  { part: 'plan', name: '… container apps alone', ...atMost(4) },
  { part: 'plan', name: 'conftest / plan of 60 MB, equal rules', ...atLeast(1.5) },
  { part: 'plan', name: 'memory of a plan of 60 MB / its size', by: 'memory', ...atMost(8) },
  { part: 'growth', name: 'plan of 10,000 / 1,000 groups', ...atMost(12) },
  { part: 'growth', name: 'plan of 100,000 / 10,000 groups', ...atMost(12) },
  { part: 'growth', name: 'five errors each: 10,000 / 1,000 groups', ...atMost(12) },
  { part: 'growth', name: 'five errors each: 100,000 / 10,000 groups', ...atMost(12) },
  { part: 'synth', name: 'construct and synthesize 1,000 / cdktf', ...atMost(0.4) },
  { part: 'synth', name: 'construct and synthesize 10,000 / cdktf', ...atMost(0.3) },
  { part: 'synth', name: 'peak memory, 10,000 / cdktf', by: 'memory', ...atMost(0.75) },
  { part: 'synth', name: 'YAML to Terraform JSON, 3 groups / node -e 0', ...atMost(3) },
  { part: 'synth', name: 'cdktf synth with ts-node / castellan synth, 24 groups', ...atLeast(15) },
  { part: 'synth', name: 'an import, in ms', by: 'time', ...atMost(1) },
  {
    part: 'synth',
    name: '28 stacks that depend on all before them, in ms',
    by: 'time',
    ...atMost(50),
  },
  {
    part: 'up',
    name: 'first up of 1,000 groups / terraform apply of 1,000 terraform_data',
    by: 'wall',
    ...atMost(2.5),
  },
  { part: 'up', name: 'second up / terraform plan', by: 'wall', ...atMost(1.5) },
];

/** The measured value that a goal is about. */
export function valueOfGoal({ by = 'processor' }, measured) {
  return measured[by === 'time' ? 'processor' : by];
}

/** Whether a measured value is within a bound. */
export function isWithin({ sign, bound }, value, tolerance = 0) {
  if (sign === undefined) return true;
  return sign === '<=' ? value <= bound * (1 + tolerance) : value >= bound / (1 + tolerance);
}

/** The key of a comparison in medians.json. */
export function keyOf({ part, name }) {
  return `${part}: ${name}`;
}

/** A row of the table, in Markdown. */
export function rowOf(goal, measured) {
  const { name, sign, bound } = goal;
  const text = (value) => (value === undefined ? '' : value.toFixed(2));
  const goalValue = measured === undefined ? undefined : valueOfGoal(goal, measured);
  // a value that misses its goal is bold
  const cell = (value) =>
    value === goalValue && !isWithin(goal, value) ? `**${text(value)}**` : text(value);
  const cells =
    measured === undefined
      ? ['not measured', '']
      : [cell(measured.count ?? measured.memory ?? measured.wall), cell(measured.processor)];
  return `| ${[name, sign === undefined ? '' : `${sign} ${bound}`, ...cells].join(' | ')} |`;
}

/** The header of the table, in Markdown. */
export const tableHeader = '| what | goal | by the clock | processor time |\n|---|---|---|---|';
