import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What the benchmark says of its goals. */
interface Goals {
  readonly goals: readonly { readonly part: string; readonly name: string }[];
  readonly tableHeader: string;
  keyOf(goal: object): string;
  rowOf(goal: object, measured: object | undefined): string;
}

describe('the page of benchmarks', () => {
  const medians = JSON.parse(read('bench/speed/medians.json')) as Record<
    string,
    Record<string, number>
  >;

  const importGoals = (): Promise<Goals> =>
    import(join(root, 'bench/speed/goals.mjs')) as Promise<Goals>;

  it('has the table of goals with the stored medians', async () => {
    const { goals, tableHeader, keyOf, rowOf } = await importGoals();
    const rows = goals.map((goal) => rowOf(goal, medians[keyOf(goal)]));
    expect(read('docs/benchmarks.md')).toContain([tableHeader, ...rows].join('\n') + '\n\n');
  });

  it('has no stored median without a goal', async () => {
    const { goals, keyOf } = await importGoals();
    const keys = goals.map(keyOf);
    expect(Object.keys(medians).filter((key) => !keys.includes(key))).toEqual([]);
  });
});
