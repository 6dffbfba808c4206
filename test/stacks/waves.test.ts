import { wavesOf } from '../../stacks/order-stacks.js';

const stack = (name: string, ...dependsOn: string[]) => ({ name, dependsOn });
const names = (waves: ReturnType<typeof wavesOf<{ name: string; dependsOn: string[] }>>): string[][] =>
  waves.map((wave) => wave.map(({ name }) => name));

describe('the waves in which stacks are applied', () => {
  it('put independent stacks side by side', () => {
    expect(names(wavesOf([stack('a'), stack('b')]))).toEqual([['a', 'b']]);
  });

  it('put a stack after all it depends on, however deep', () => {
    expect(names(wavesOf([stack('base'), stack('data', 'base'), stack('shop', 'data', 'base'), stack('blog', 'base')]))).toEqual([
      ['base'],
      ['data', 'blog'],
      ['shop'],
    ]);
  });

  it('take a dependency that is not among them as applied before', () => {
    expect(names(wavesOf([stack('a', 'elsewhere')]))).toEqual([['a']]);
  });
});
