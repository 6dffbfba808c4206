import fc from 'fast-check';
import { parse as parseValue, parseAllDocuments, stringify } from 'yaml';
import { SourceText } from '../../../core/source/source-text.js';
import { Layers } from '../../../core/yaml/layers.js';
import type { YamlNode } from '../../../core/yaml/node.js';
import { parseWithLocations, parseYaml } from '../../../core/yaml/parse-yaml.js';
import { parsePlainYaml } from '../../../core/yaml/plain-yaml.js';
import { runs } from '../../support/property-tests.js';

const parse = (text: string) => parseYaml(new SourceText('a.yaml', text));
const problemOf = (text: string) => {
  const result = parse(text);
  if (!('problem' in result)) throw new Error(`no problem in ${text}`);
  const { id, message, location } = result.problem;
  return `${location.line}:${location.column} ${id} ${message}`;
};
const placeOf = (text: string, ...path: (string | number)[]) => {
  const result = parse(text);
  if ('problem' in result) throw new Error(result.problem.message);
  const found = new Layers(result.documents).locate(path);
  return `${found?.line}:${found?.column}`;
};

describe('parsing YAML with places', () => {
  it.each([
    ['a: 1\nb:\n  c: x\n', ['b', 'c'], '3:6'],
    ['a: { b: [1, { c: 2 }] }', ['a', 'b', 1, 'c'], '1:18'],
    ['list:\n- a\n- b: 1\n', ['list', 1, 'b'], '3:6'],
    ['a: &x { k: 1 }\nb:\n  <<: *x\n', ['b', 'k'], '1:12'],
    ['a: &x { k: 1 }\nb: *x\n', ['b', 'k'], '1:12'],
    ['a: # comment\n  "quoted"\n', ['a'], '2:3'],
    ['a:\n  b: 1\n', ['a', 'missing'], '1:1'],
    ['a:\nb: 1\n', ['a'], '1:1'],
    ['a: |\n  text\nb: 2\n', ['a'], '1:4'],
    ['{ a, b: 2 }', ['b'], '1:9'],
    ['a: !!str 12', ['a'], '1:10'],
    ['? a\n: 5\n', ['a'], '2:3'],
    ['\ufeff- a: 1\n- b: 2\n', [0, 'a'], '1:6'],
  ])('finds the place of a value in %j', (text, path, expected) => {
    expect(placeOf(text, ...path)).toBe(expected);
  });

  it.each([
    [
      'a: 1\na: 2\n',
      '2:1 config-duplicate-key the key "a" is used twice in the same map: keep one of them',
    ],
    ['a:\n\tb: 1\n', '2:1 config-tab a tab indents this line; YAML indents with spaces only'],
    ['a: !money 3\n', '1:4 config-tag the tag !money is not known here; remove it'],
    [
      'a: &x [*x]\n',
      '1:8 config-alias the alias *x is inside what it refers to: write the value instead',
    ],
    [
      'a: *nobody\n',
      '1:4 config-alias the alias *nobody has no anchor (&nobody) before it; a text that begins with * is put in quotes',
    ],
    [
      'a: { b: 1\n',
      '2:1 config-syntax a { has no } where the map ends, or } is indented too little',
    ],
    ['a: [1\n', '2:1 config-syntax a [ has no ] where the list ends, or ] is indented too little'],
    ['a: "b\n', '2:1 config-syntax a text that begins with " has no " at its end'],
    [
      'a:\n    b: 1\n   c: 2\n',
      '3:1 config-syntax this line begins at another column than those it belongs to: the keys of a map, and the entries of a list, begin at the same one',
    ],
    ['a: b: c\n', '1:4 config-syntax a value with a colon and a space in it is put in quotes'],
    [
      'a: { b: c: d }\n',
      '1:9 config-syntax a value with a colon and a space in it is put in quotes',
    ],
    [
      "a: 'it's'\n",
      "1:8 config-syntax something follows the end of this value: put all of it in quotes, and double a ' within '…'",
    ],
    ['a: "\\q"\n', '1:5 config-syntax \\q is no escape within "…": write \\\\ for a backslash'],
    ['a: @b\n', '1:4 config-syntax a value that begins with @ is put in quotes'],
    ['a: %b\n', '1:4 config-syntax a value that begins with % is put in quotes'],
    [
      'a: 1\nb: c\0d\n',
      '2:5 config-syntax the control character U+0000 is not allowed in YAML: remove it',
    ],
    ['<<: 5\n', '1:5 config-syntax only maps, or aliases of maps, can be merged by <<'],
    [
      '',
      '1:1 config-empty there is nothing in this file: write what it is to declare, or delete it',
    ],
    [
      '# only a comment\n',
      '1:1 config-empty there is nothing in this file: write what it is to declare, or delete it',
    ],
  ])('says what is wrong with %j', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it('refuses deep nesting', () => {
    expect(problemOf(`a: ${'['.repeat(5000)}`)).toBe(
      '1:103 config-depth nested more than 100 levels deep',
    );
  });

  it.each(['x:y', 'x ', 'x\\n'])('reads lines of any length: %s', (part) => {
    const text = part.repeat(3_000_000 / part.length);
    expect(valuesOf(`a: ${text}z\n`)).toEqual([{ a: `${text}z` }]);
    expect(valuesOf(`a: [${text}z]\n`)).toEqual([{ a: [`${text}z`] }]);
  });

  it('refuses exponentially expanding aliases without using much memory', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    const text = `l0: &l0 [1,2,3,4,5,6,7,8,9]\n${levels.join('\n')}\n`;
    expect(problemOf(text)).toMatch(
      /^\d+:\d+ config-alias aliases of aliases make \d+ values here; at most 1000000 are read$/,
    );
  });

  it('reads keys such as __proto__ as plain keys', () => {
    const result = parse('__proto__: { polluted: true }\n');
    if ('problem' in result) throw new Error(result.problem.message);
    expect([
      ({} as { polluted?: boolean }).polluted,
      Object.keys(new Layers(result.documents).value as object),
    ]).toEqual([undefined, ['__proto__']]);
  });

  it('never throws and always has a location, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab:{}[]-#&*!|>?,"\'\n \t<%@') }),
        (text) => {
          const result = parse(text);
          if ('problem' in result) expect(result.problem.location.line).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('reads what a writer has written, each value at its place', () => {
    const data = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(
        fc
          .string({ minLength: 1, maxLength: 6 })
          .filter((key) => key !== '<<' && key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    })).map;
    fc.assert(
      fc.property(data, fc.constantFrom('BLOCK', 'FLOW'), (value, style) => {
        const text = stringify(value, {
          collectionStyle: style === 'BLOCK' ? 'block' : 'flow',
          lineWidth: 0,
        });
        expect(valuesOf(text)).toEqual([value]);
        for (const { start, end, value: part } of rootsOf(text).flatMap(leavesOf))
          expect([text, indented(text, start, end)]).toEqual([text, part]);
      }),
      { numRuns: runs(200) },
    );
  });

  const words = [
    '~',
    'null',
    'NULL',
    'True',
    'FALSE',
    'yes',
    'off',
    '0',
    '-0',
    '+7',
    '012',
    '0o17',
    '0x1F',
    '0b101',
    '1_000',
    '1:30',
    '.5',
    '5.',
    '1.',
    '1e3',
    '-.INF',
    '.NaN',
    '2026-01-15',
    '<<',
    '=',
    '!!str 12',
    '!!int 3',
    '&a x',
    '*a',
    '"a\\tb"',
    "'it''s'",
    '"x\n  y"',
    'a b',
    'a#b',
    'a # c',
    '{ k: 1, l }',
    '[1, [2], {}]',
    '|\n    text\n    more',
    '>-\n    text\n\n    more',
    '',
    '-',
    '? k',
    'ключ',
    '\u{1f600}',
  ];
  const line = fc.tuple(
    fc.constantFrom('', '  ', '    '),
    fc.constantFrom('a: ', 'b: ', '- ', '- c: ', '? ', ': ', '<<: ', ''),
    fc.constantFrom(...words),
  );
  const texts = fc.array(
    fc.oneof(
      line.map((parts) => parts.join('')),
      fc.constantFrom('---', '...', '# note', ''),
    ),
    { maxLength: 7 },
  );

  it('reads the values that js-yaml reads like `yaml`, and never what `yaml` refuses', () => {
    const plainWords = words
      .filter((word) => !/^[&*|>]|\n|\t|^!!/.test(word))
      .concat('"a\\n\\u00e9"', "'a' # b", '[a, {b: c}, "d"]', 'http://x/y', '[a , b]', '[a,b]')
      .concat('[null]', 'nullify', 'a:b', 'a: b', 'a:', 'a #', 'a# b ', '"a', "'b", '[a', 'b]', '}')
      .concat('0.5', '1Gi', '30d', '1e', '10.0.0.1', '2026-01', '1e-5', '12ab', '1.5.', '00.5');
    const part = fc.tuple(
      fc.constantFrom('', '  ', '    '),
      fc.constantFrom(
        'a: ',
        'b: ',
        'c: ',
        '"d": ',
        'true: ',
        'a.b/c:  ',
        'e:\n      ',
        '- ',
        '- f: ',
        '- - ',
      ),
      fc.constantFrom(...plainWords, ...plainWords, 'g:', '# note'),
    );
    const lines = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: part.map((parts) => parts.join('')) },
        fc.constantFrom('---', '...', '  # note ', '', '  '),
      ),
      { minLength: 1, maxLength: 6 },
    );
    let readCount = 0;
    fc.assert(
      fc.property(fc.oneof(lines, texts), (parts) => {
        const text = `${parts.join('\n')}\n`;
        const values = parsePlainYaml(text)?.filter(
          (value) => value !== null && value !== undefined,
        );
        if (values === undefined || values.length === 0) return;
        readCount += 1;
        const result = parseWithLocations(new SourceText('a.yaml', text));
        const expected =
          'problem' in result ? result.problem : result.documents.map(({ root }) => root.value);
        expect({ text, values }).toEqual({ text, values: expected });
      }),
      { numRuns: runs(2500) },
    );
    expect(readCount).toBeGreaterThan(runs(125));
  });

  it('reads every text that it accepts like `yaml`', () => {
    let readCount = 0;
    fc.assert(
      fc.property(texts, (lines) => {
        const text = `${lines.join('\n')}\n`;
        const result = parse(text);
        // keys that are empty or explicit are unknown whatever their name
        if ('problem' in result || /^[ -]*[:?]/m.test(text)) return;
        readCount += 1;
        const documents = parseAllDocuments(text, { merge: true, logLevel: 'silent' });
        if (!Array.isArray(documents)) throw new Error('no documents');
        expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
        const values = documents.map((document): unknown => document.toJS());
        expect({ text, values: result.documents.map(({ root }) => root.value) }).toEqual({
          text,
          values: values.filter((value) => value !== null),
        });
      }),
      { numRuns: runs(1000) },
    );
    expect(readCount).toBeGreaterThan(runs(100));
  });
});

function rootsOf(text: string): readonly YamlNode[] {
  const result = parse(text);
  if ('problem' in result) throw new Error(`${text}: ${result.problem.message}`);
  return result.documents.map(({ root }) => root);
}

const valuesOf = (text: string): readonly unknown[] => rootsOf(text).map(({ value }) => value);

/** The nodes of a tree that have no children. */
function leavesOf(node: YamlNode): readonly YamlNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

/** The value of a part of a text, read with the indentation that it has there. */
function indented(text: string, start: number, end: number): unknown {
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  return parseValue(`${' '.repeat(column)}${text.slice(start, end)}`);
}
