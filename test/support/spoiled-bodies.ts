const deeplyNestedList: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);
const wrongValues: readonly unknown[] = [
  null,
  true,
  7,
  '',
  'text',
  [],
  [null],
  [[]],
  [7],
  {},
  { a: null },
  deeplyNestedList,
];

/**
 * Copies of a valid body in which one value, at any depth, is replaced by a wrong one; each with
 * its path and the wrong value as a title.
 */
export function* spoiledBodies(body: object): Generator<readonly [place: string, body: unknown]> {
  for (const value of wrongValues) yield ['', value];
  const text = JSON.stringify(body);
  const paths: (readonly string[])[] = [];
  const walk = (node: unknown, path: readonly string[]): void => {
    if (path.length > 0) paths.push(path);
    if (typeof node === 'object' && node !== null)
      for (const [name, each] of Object.entries(node)) walk(each, [...path, name]);
  };
  walk(body, []);
  for (const path of paths)
    for (const value of wrongValues) {
      const spoiled = JSON.parse(text) as Record<string, unknown>;
      const parent = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>(
          (node, name) => node[name] as Record<string, unknown>,
          spoiled,
        );
      parent[path.at(-1) ?? ''] = value;
      yield [`${path.join('.')} = ${JSON.stringify(value).slice(0, 20)}`, spoiled];
    }
}
