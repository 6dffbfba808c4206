import { parseOrder } from '../../../services/common/filter/order.js';

const fail = (reason: string, position: number): Error => new Error(`${position}: ${reason}`);

test('an ordering is parsed to its names with directions and positions', () => {
  expect(parseOrder(' a/b desc,c ASC , d', fail)).toEqual([
    { name: 'a/b', isDescending: true, position: 1 },
    { name: 'c', isDescending: false, position: 10 },
    { name: 'd', isDescending: false, position: 18 },
  ]);
});

test.each([
  ['', '0: a field is expected'],
  ['a,', '2: a field is expected'],
  ['a,a sideways', '4: "asc", "desc" or a comma is expected, not "sideways"'],
  ['a desc b', '7: a comma is expected, not "b"'],
])('%j is refused at its first mistake', (text, message) => {
  expect(() => parseOrder(text, fail)).toThrow(message);
});
