import { blocksOf, nodeAt } from '../../../../policies/sources/hcl/hcl-blocks.js';
import { loadHclParser } from '../../../../policies/sources/hcl/parse-hcl.js';

it.each([
  ['concat(["a"], ["b", "c"])', ['x', 2], '"c"'],
  ['tolist(concat(["a"], concat(["b"], ["c"])))', ['x', 2], '"c"'],
  ['concat(["a"], var.more, ["c"])', ['x', 0], '"a"'],
  ['concat(["a"], var.more, ["c"])', ['x', 1], 'concat(["a"], var.more, ["c"])'],
  ['concat([["a"], ["b"]]...)', ['x', 0], 'concat([["a"], ["b"]]...)'],
  ['merge({ a = 1 }, { b = 2 })', ['x', 'b'], '2'],
  ['merge({ a = 1 }, { a = 2 })', ['x', 'a'], '2'],
  ['merge({ a = 1, b = 3 }, var.more, { a = 2 })', ['x', 'a'], '2'],
  ['merge({ a = 1 }, var.more)', ['x', 'a'], 'merge({ a = 1 }, var.more)'],
  ['merge([{ a = 1 }]...)', ['x', 'a'], 'merge([{ a = 1 }]...)'],
  ['jsonencode(merge({ a = { c = 1 } }, { b = [1, 2] }))', ['x', 'b', 1], '2'],
])('in %s, %j is %s', async (expression, path, text) => {
  const parse = await loadHclParser();
  const root = parse(`resource "a" "b" {\n  x = ${expression}\n}\n`);
  const [block] = root === undefined ? [] : blocksOf(root);
  expect(block && nodeAt(block, path).text).toBe(text);
});
