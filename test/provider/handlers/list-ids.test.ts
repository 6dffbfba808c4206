import { listId } from '../../../provider/handlers/azuread/data/lookups.js';

const ids = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-2222-4333-8444-555555555555`);

test('the id of a list of objects changes with each of them', () => {
  const lists = [ids, ids.slice(0, 1), ids.slice(0, 2), [...ids].reverse()];
  expect(new Set(lists.map((list) => listId('users', list))).size).toBe(lists.length);
  expect(listId('users', ids)).toBe(listId('users', ids));
});
