import { expect, test } from 'vitest';
import { lazily } from '../../../core/values/lazily.js';

test('each property is made once, when it is first asked for', () => {
  const asked: string[] = [];
  const make = (name: string) => () => (asked.push(name), { name });
  const both = lazily({ first: make('first'), second: make('second') });
  expect(Object.keys(both)).toEqual(['first', 'second']);
  expect(asked).toEqual([]);
  expect(both.second).toBe(both.second);
  expect(asked).toEqual(['second']);
});
