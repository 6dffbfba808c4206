const deep: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);
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
  deep,
];

/**
 * Copies of a valid body in which one value, at any depth, is replaced by a wrong one; each with
 * its path and the wrong value as a title.
 */
export function* spoiledBodies(body: object): Generator<readonly [place: string, body: unknown]> {
  for (const value of wrongValues) yield ['', value];
  const text = JSON.stringify(body);
  const paths: (readonly string[])[] = [];
  const walk = (node: unknown, at: readonly string[]): void => {
    if (at.length > 0) paths.push(at);
    if (typeof node === 'object' && node !== null)
      for (const [name, each] of Object.entries(node)) walk(each, [...at, name]);
  };
  walk(body, []);
  for (const place of paths)
    for (const value of wrongValues) {
      const spoiled = JSON.parse(text) as Record<string, unknown>;
      const owner = place
        .slice(0, -1)
        .reduce<Record<string, unknown>>(
          (node, name) => node[name] as Record<string, unknown>,
          spoiled,
        );
      owner[place.at(-1) ?? ''] = value;
      yield [`${place.join('.')} = ${JSON.stringify(value).slice(0, 20)}`, spoiled];
    }
}
