import { parallelBatches } from '../../stacks/order-stacks.js';

const stack = (name: string, ...dependsOn: string[]) => ({ name, dependsOn });
const names = (
  batches: ReturnType<typeof parallelBatches<{ name: string; dependsOn: string[] }>>,
): string[][] => batches.map((batch) => batch.map(({ name }) => name));

describe('the batches in which stacks are applied', () => {
  it('run independent stacks in parallel', () => {
    expect(names(parallelBatches([stack('a'), stack('b')]))).toEqual([['a', 'b']]);
  });

  it('run a stack after its dependencies, including transitive ones', () => {
    expect(
      names(
        parallelBatches([
          stack('base'),
          stack('data', 'base'),
          stack('shop', 'data', 'base'),
          stack('blog', 'base'),
        ]),
      ),
    ).toEqual([['base'], ['data', 'blog'], ['shop']]);
  });

  it('are the same in whatever order the stacks are given', () => {
    expect(names(parallelBatches([stack('shop', 'base'), stack('base')]))).toEqual([
      ['base'],
      ['shop'],
    ]);
  });

  it('treat a dependency outside the list as already applied', () => {
    expect(names(parallelBatches([stack('a', 'elsewhere')]))).toEqual([['a']]);
  });
});
