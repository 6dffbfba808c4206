import fc from 'fast-check';
import { stringify } from 'yaml';
import { SourceText } from '../../../core/source/source-text.js';
import { carefulParse } from '../../../core/yaml/careful-parse.js';
import { fastParse } from '../../../core/yaml/fast-parse.js';
import { Layers } from '../../../core/yaml/layers.js';
import type { YamlNode } from '../../../core/yaml/node.js';
import { parseYaml } from '../../../core/yaml/parse-yaml.js';
import { plainParse } from '../../../core/yaml/plain-parse.js';
import { runs } from '../../support/property-tests.js';

const parse = async (text: string) => parseYaml(new SourceText('a.yaml', text));
const problem = async (text: string) => {
  const result = await parse(text);
  if (!('problem' in result)) throw new Error(`no problem in ${text}`);
  const { id, message, location } = result.problem;
  return `${location.line}:${location.column} ${id} ${message}`;
};
const place = async (text: string, ...path: (string | number)[]) => {
  const result = await parse(text);
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
  ])('finds the place of a value in %j', async (text, path, expected) => {
    expect(await place(text, ...path)).toBe(expected);
  });

  it.each([
    ['a: 1\na: 2\n', '2:1 config-duplicate-key the key "a" is used twice in the same map'],
    ['a:\n\tb: 1\n', '2:1 config-tab a tab indents this line; YAML indents with spaces only'],
    ['a: !money 3\n', '1:4 config-tag the tag !money is not known here; remove it'],
    ['a: &x [*x]\n', '1:8 config-alias the alias *x is inside what it refers to'],
    ['a: *nobody\n', '1:4 config-alias the alias *nobody has no anchor before it'],
    ['a: 1\nb: c\0d\n', '2:5 config-syntax null byte is not allowed in input'],
    ['', '1:1 config-empty there is nothing in this file'],
    ['# only a comment\n', '1:1 config-empty there is nothing in this file'],
  ])('says what is wrong with %j', async (text, expected) => {
    expect(await problem(text)).toBe(expected);
  });

  it('refuses deep nesting', async () => {
    expect(await problem(`a: ${'['.repeat(5000)}`)).toBe(
      '1:103 config-depth nested more than 100 levels deep',
    );
  });

  it('reads lines of any length', () => {
    for (const part of ['x:y', 'x, ', 'x ']) {
      const text = part.repeat(15_000_000 / part.length);
      expect(plainParse(`a: ${text}z\n`)?.[0]?.value).toEqual({ a: `${text}z` });
      expect(plainParse(`a: [${text}z]\n`)).toBeDefined();
    }
  });

  it('refuses exponentially expanding aliases without using much memory', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    const text = `l0: &l0 [1,2,3,4,5,6,7,8,9]\n${levels.join('\n')}\n`;
    expect(await problem(text)).toMatch(
      /^\d+:\d+ config-alias aliases of aliases make \d+ values here; at most 1000000 are read$/,
    );
  });

  it('reads keys such as __proto__ as plain keys', async () => {
    const result = await parse('__proto__: { polluted: true }\n');
    if ('problem' in result) throw new Error(result.problem.message);
    expect([
      ({} as { polluted?: boolean }).polluted,
      Object.keys(new Layers(result.documents).value as object),
    ]).toEqual([undefined, ['__proto__']]);
  });

  it('never throws and always has a location, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'ab:{}[]-#&*!|>?,"\'\n \t<%@') }),
        async (text) => {
          const result = await parse(text);
          if ('problem' in result) expect(result.problem.location.line).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('agrees with the careful parser on values and locations', () => {
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
        const fast = fastParse(text);
        if (fast === undefined) return;
        const careful = carefulParse(new SourceText('a.yaml', text));
        if ('problem' in careful) throw new Error(careful.problem.message);
        expect(fast.map(shape)).toEqual(careful.roots.map(shape));
      }),
      { numRuns: runs(500) },
    );
  });

  const words = [
    ...[
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
    ],
    ...[
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
    ],
    ...[
      '{ k: 1, l }',
      '[1, [2], {}]',
      '|\n    text\n    more',
      '>-\n    text\n\n    more',
      '',
      '-',
      '? k',
      'ключ',
      '\u{1f600}',
    ],
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

  it('parses plain files like the fast parser, with the same locations', () => {
    const plainWords = words
      .filter((word) => word !== '.NaN' && !/^[&*|>]|\n|\t|^!!/.test(word))
      .concat('"a\\n\\u00e9"', "'a' # b", '[a, {b: c}, "d"]', 'http://x/y')
      .concat(
        '[a, b]',
        '[a, true]',
        '[null]',
        '[a , b]',
        '[a,b]',
        '[truest, a-b] ',
        'nullify',
        'a:b',
        'a: b',
        'a:',
        'a #',
        'a# b ',
      )
      .concat(
        '0.5',
        '10.25',
        '1Gi',
        '0.5Gi',
        '30d',
        '1e',
        '10.0.0.1',
        '2026-01',
        '1e-5',
        '1e-5-2',
        '0a2b1f6e-5d3c-4b7a',
        '12ab',
        '1.5.',
        '00.5',
      );
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
        '-  ',
      ),
      fc.constantFrom(...plainWords, ...plainWords, 'g:', '# note'),
    );
    const lines = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: part.map((parts) => parts.join('')) },
        fc.constantFrom('---', '...', '  # note ', '', '  '),
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    let read = 0;
    fc.assert(
      fc.property(lines, (parts) => {
        const text = `${parts.join('\n')}\n`;
        const plain = plainParse(text)?.map(whole);
        if (plain === undefined) return;
        read += 1;
        expect({ text, roots: plain }).toEqual({ text, roots: fastParse(text)?.map(whole) });
        expect({ text, roots: plainParse(text.slice(0, -1))?.map(whole) }).toEqual({
          text,
          roots: plain,
        });
      }),
      { numRuns: runs(10_000) },
    );
    expect(read).toBeGreaterThan(runs(500));
  });

  it('leaves unusual syntax to the other parsers', () => {
    for (const text of [
      '',
      'a: 1\na: 2\n',
      'a: &b c\n',
      'a: |\n  b\n',
      'a:\n  b\n  c\n',
      'a:\r\n  b: 1\r\n',
      'a: [b,\n  c]\n',
      'a: b: c\n',
      'a:\n',
      '? a\n',
      'a: 0b1\n',
    ])
      expect([text, plainParse(text)]).toEqual([text, undefined]);
  });

  it('agrees with the careful parser on every text that it accepts', () => {
    fc.assert(
      fc.property(texts, (lines) => {
        const text = `${lines.join('\n')}\n`;
        const fast = acceptedByFast(text);
        if (fast === undefined) return;
        const careful = carefulParse(new SourceText('a.yaml', text));
        if ('problem' in careful) throw new Error(careful.problem.message);
        const isThere = ({ value }: YamlNode): boolean => value !== null && value !== undefined;
        expect(fast.filter(isThere).map(shape)).toEqual(careful.roots.filter(isThere).map(shape));
      }),
      { numRuns: runs(4000) },
    );
  });
});

function acceptedByFast(text: string): readonly YamlNode[] | undefined {
  try {
    return fastParse(text);
  } catch {
    return undefined; // a mistake is worded by the careful reader
  }
}

function whole({ kind, start, end, value, children }: YamlNode): unknown {
  return { kind, start, end, value, children: children.map(whole) };
}

function shape(node: YamlNode): unknown {
  const start = node.children.length === 0 && node.value === null ? 'nothing' : node.start;
  return { kind: node.kind, start, value: node.value, children: node.children.map(shape) };
}
