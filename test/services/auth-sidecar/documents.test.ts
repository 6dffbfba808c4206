import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/** The cells of a document's tables, heads and rules left out. */
function tableRows(document: string): string[][] {
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const cells = lines
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  return cells.filter((each) => each.at(-1) !== 'test');
}

function textOf(name: string): string | undefined {
  const file = ['test', 'e2e']
    .map((kind) => join(__dirname, `${name}.${kind}.ts`))
    .find(existsSync);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

test.each(tableRows('docs/contributing/sidecar-cases.md'))('%s: tested by %s', (_, test) => {
  const [file = '', ...name] = String(test).split(': ');
  expect(textOf(file)).toContain(name.join(': '));
});

test('all 34 pitfalls have an existing test that attacks them', () => {
  const numbered = tableRows('docs/security.md').filter((each) => each.length === 4);
  for (const each of numbered)
    for (const file of (each[3] ?? '').split(', '))
      expect([file, textOf(file) !== undefined]).toEqual([file, true]);
  const numbers = numbered.flatMap(([which = '']) => {
    const [from = 0, to = from] = which.split('-').map(Number);
    return which.includes('-')
      ? Array.from({ length: to - from + 1 }, (__, index) => from + index)
      : which.split(', ').map(Number);
  });
  expect(numbers.filter((number) => number > 0).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 34 }, (__, index) => index + 1),
  );
});
