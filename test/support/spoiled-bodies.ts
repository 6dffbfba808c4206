const deep: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);
const wrong: readonly unknown[] = [
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
 * A good body with each of its values, at any depth, replaced by each value of another type; with
 * the place that was spoiled.
 */
export function* spoiledBodies(body: object): Generator<readonly [place: string, body: unknown]> {
  for (const value of wrong) yield ['', value];
  const text = JSON.stringify(body);
  const places: (readonly string[])[] = [];
  const walk = (node: unknown, at: readonly string[]): void => {
    if (at.length > 0) places.push(at);
    if (typeof node === 'object' && node !== null)
      for (const [name, each] of Object.entries(node)) walk(each, [...at, name]);
  };
  walk(body, []);
  for (const place of places)
    for (const value of wrong) {
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
