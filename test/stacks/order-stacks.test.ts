import { orderStacks } from '../../stacks/index.js';

const order = (dependencies: Record<string, string[]>) =>
  orderStacks(Object.entries(dependencies).map(([name, dependsOn]) => ({ name, dependsOn }))).map(
    ({ name }) => name,
  );

describe('orderStacks', () => {
  it('puts a stack after its dependencies, otherwise keeps the given order', () => {
    expect(order({ d: ['b', 'c'], b: ['a'], c: ['a'], a: [] })).toEqual(['a', 'b', 'c', 'd']);
    expect(order({ z: [], y: [], x: [] })).toEqual(['z', 'y', 'x']);
  });

  it('treats an unknown dependency as applied before', () => {
    expect(order({ a: ['elsewhere'] })).toEqual(['a']);
  });

  it('refuses two stacks of one name', () => {
    const stack = { name: 'shop', dependsOn: [] };
    expect(() => orderStacks([stack, { ...stack }])).toThrow('two stacks are named shop');
  });

  it('names the stacks of a cycle', () => {
    expect(() => order({ start: ['a'], a: ['b'], b: ['c'], c: ['a'] })).toThrow(
      'stacks depend on each other: a -> b -> c -> a',
    );
    expect(() => order({ a: ['a'] })).toThrow('a -> a');
  });
});
