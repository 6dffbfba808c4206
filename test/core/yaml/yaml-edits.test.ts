import fc from 'fast-check';
import { parse } from 'yaml';
import { SourceText } from '../../../core/source/source-text.js';
import { applyEdits, editToSetValue } from '../../../core/yaml/yaml-edits.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { parseYaml } from '../../../core/yaml/parse-yaml.js';

async function editYaml(
  text: string,
  path: ConfigPath,
  value: unknown,
): Promise<string | undefined> {
  const result = parseYaml(new SourceText('castellan.yaml', text));
  if ('problem' in result) throw new Error(result.problem.message);
  const [document] = result.documents;
  const edit = document && editToSetValue(document, path, value);
  return edit && applyEdits(text, [edit]);
}

const text = `# the shop
groups:
  shoppers: # our people
    displayName: Shoppers   # shown everywhere
    visibility: Public
    owners: [ada, grace]
    theme: Red

  admins: { displayName: Admins, mailNickname: "admins" }
list:
  - one
  - two # the second
`;

describe('editing YAML', () => {
  it('replaces a value and keeps the comment beside it', async () => {
    expect(await editYaml(text, ['groups', 'shoppers', 'displayName'], 'Our shoppers')).toBe(
      text.replace('displayName: Shoppers ', 'displayName: Our shoppers '),
    );
  });

  it('replaces a value in a flow map', async () => {
    expect(await editYaml(text, ['groups', 'admins', 'mailNickname'], 'the-admins')).toBe(
      text.replace('"admins"', '"the-admins"'),
    );
  });

  it.each([
    [`a: 'one' # x`, 'two', `a: 'two' # x`],
    [`a: 'one'`, "it's", `a: 'it''s'`],
    [`a: 'one'`, 'é\n', `a: "é\\n"`],
    [`a: "one"`, 'say "two"', `a: "say \\"two\\""`],
    [`a: 'one'`, 2, `a: 2`],
    [`a: one`, 'two: 3', `a: "two: 3"`],
  ])(
    'keeps the quotes of a text where they can hold the new one: %s',
    async (before, value, after) => {
      expect(await editYaml(`${before}\n`, ['a'], value)).toBe(`${after}\n`);
    },
  );

  it('adds a key after the last one, with the same indentation', async () => {
    expect(await editYaml(text, ['groups', 'shoppers', 'description'], 'a: b')).toBe(
      text.replace('    theme: Red\n', '    theme: Red\n    description: "a: b"\n'),
    );
  });

  it('adds a key to a flow map, and keys on the way to it', async () => {
    expect(
      await editYaml(text, ['groups', 'admins', 'dynamicMembership', 'processing'], 'On'),
    ).toBe(text.replace('"admins" }', '"admins", dynamicMembership: { processing: On } }'));
  });

  it.each<[ConfigPath, unknown]>([
    [['groups', 'shoppers', 'description'], 'For all.'],
    [['groups', 'shoppers', 'visibility'], undefined],
    [['groups', 'shoppers', 'theme'], undefined],
    [['groups', 'admins', 'mailNickname'], undefined],
    [['list', 1], undefined],
    [['more', 'below'], true],
  ])('keeps the line ends of Windows: %j', async (path, value) => {
    const windows = text.replaceAll('\n', '\r\n');
    expect(await editYaml(windows, path, value)).toBe(
      (await editYaml(text, path, value))?.replaceAll('\n', '\r\n'),
    );
    expect(await editYaml(windows.trimEnd(), path, value)).toBe(
      (await editYaml(text.trimEnd(), path, value))?.replaceAll('\n', '\r\n'),
    );
  });

  it('removes a line without changing its neighbours', async () => {
    expect(await editYaml(text, ['groups', 'shoppers', 'visibility'], undefined)).toBe(
      text.replace('    visibility: Public\n', ''),
    );
  });

  it.each<[string, string, ConfigPath, string]>([
    [
      'at the end of the line',
      'a:\n  b: 1 # why b\n  c: 2\n',
      ['a', 'b'],
      'a:\n  # why b\n  c: 2\n',
    ],
    [
      'inside of it',
      'a:\n  b: # why b\n    # why d\n    d: 1\n  c: 2\n',
      ['a', 'b'],
      'a:\n  # why b\n  # why d\n  c: 2\n',
    ],
    [
      'of the first of an item',
      'a:\n  - b: "#1" # why b\n    c: 2\n',
      ['a', 0, 'b'],
      'a:\n  - # why b\n    c: 2\n',
    ],
    ['of the last line', 'a:\n  c: 2\n  b: 1 # why b', ['a', 'b'], 'a:\n  c: 2\n  # why b'],
    ['of the only key', 'a:\n  b: 1 # why b\n', ['a', 'b'], 'a:\n  {} # why b\n'],
    ['of an item', 'a:\n  - one # why one\n  - two\n', ['a', 0], 'a:\n  # why one\n  - two\n'],
  ])('keeps the comment of what it removes: %s', async (_where, before, path, after) => {
    const result = (await editYaml(before, path, undefined)) ?? '';
    expect(result).toBe(after);
    expect(() => parse(result) as unknown).not.toThrow();
  });

  it('removes from flow maps and lists with the right comma', async () => {
    expect(await editYaml(text, ['groups', 'admins', 'displayName'], undefined)).toBe(
      text.replace('displayName: Admins, ', ''),
    );
    expect(await editYaml(text, ['groups', 'shoppers', 'owners', 1], undefined)).toBe(
      text.replace('[ada, grace]', '[ada]'),
    );
    expect(await editYaml(text, ['list', 0], undefined)).toBe(text.replace('  - one\n', ''));
  });

  it('does not mistake a comma in a comment for a separator, and keeps the comment', async () => {
    const after =
      (await editYaml('a: { b: 1, # one, or two\n  c: 2 }\n', ['a', 'c'], undefined)) ?? '';
    expect([after, parse(after)]).toEqual(['a: { b: 1 # one, or two\n   }\n', { a: { b: 1 } }]);
    const list = (await editYaml('a: [b, # one, or two\n  c, d]\n', ['a', 1], undefined)) ?? '';
    expect([list, parse(list)]).toEqual(['a: [b # one, or two\n  , d]\n', { a: ['b', 'd'] }]);
    const commaBelow = await editYaml('a: [b # one, or two\n  , c]\n', ['a', 1], undefined);
    expect(parse(commaBelow ?? '')).toEqual({ a: ['b'] });
  });

  it.each([
    ['a: 1\n? b\n: 2\nc: 3\n', 'a: 1\nc: 3\n'],
    ['? b\n: 2\n', '{}\n'],
    ['{ a: 1, ? b : 2 }\n', '{ a: 1 }\n'],
  ])('removes the question mark of a key: %j', async (before, after) => {
    expect(await editYaml(before, ['b'], undefined)).toBe(after);
  });

  it.each([
    ['a:\n  - -5\n  - b\n', 'a:\n  - b\n'],
    ['a:\n  - - x\n    - y\n  - b\n', 'a:\n  - b\n'],
    ['a:\n  - --verbose\n', 'a:\n  []\n'],
    ['a:\n  - # so-called\n    b: 1\n  - c\n', 'a:\n  # so-called\n  - c\n'],
    ['a:\n  -\n # -\n    b\n  - c\n', 'a:\n  # -\n  - c\n'],
    ['a:\n  -\n  - b\n', 'a:\n  - b\n'],
  ])(
    'removes an item that begins with a hyphen, or has one in a comment before it: %j',
    async (before, after) => {
      expect(await editYaml(before, ['a', 0], undefined)).toBe(after);
    },
  );

  it('leaves an empty map where the only key goes', async () => {
    expect(parse((await editYaml('a:\n  b: 1\n', ['a', 'b'], undefined)) ?? '')).toEqual({ a: {} });
  });

  it.each([
    ['replaces', ['a'], 'two', 'a: two\nz: 1\n'],
    ['removes', ['a'], undefined, 'z: 1\n'],
    ['replaces, with a blank line and a comment behind,', ['b'], 'two', 'b: two\n\n# c\nz: 1\n'],
    ['adds a key after', ['m', 'n'], 2, 'm:\n  a: |\n    one\n  n: 2\nz: 1\n'],
    ['removes an item with', ['l', 0], undefined, 'l:\n  - two\nz: 1\n'],
  ])('%s a text of several lines', async (_, path, value, after) => {
    const before = {
      a: 'a: >-\n  one\n  more\n',
      b: 'b: |\n  one\n\n# c\n',
      m: 'm:\n  a: |\n    one\n',
      l: 'l:\n  - |\n    one\n  - two\n',
    }[path[0] as 'a'];
    expect(await editYaml(`${before}z: 1\n`, path, value)).toBe(after);
  });

  it('refuses to edit behind an alias, which would change another place, too', async () => {
    expect(await editYaml('x: &base { a: 1 }\ny: *base\n', ['y', 'a'], 2)).toBeUndefined();
  });

  it('sets the value and changes nothing else, in any document', async () => {
    const name = fc.stringMatching(/^[a-z][a-zA-Z]{0,6}$/);
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const tree = fc.dictionary(
      name,
      fc.oneof(leaf, fc.dictionary(name, leaf, { minKeys: 1, maxKeys: 3 })),
      {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        tree,
        name,
        fc.option(name, { nil: undefined }),
        leaf,
        fc.constantFrom('block', 'flow'),
        async (value, first, second, newValue, style) => {
          const { stringify } = await import('yaml');
          const source = stringify(value, {
            collectionStyle: style as 'block' | 'flow',
            lineWidth: 0,
          });
          const path = second === undefined || !isMap(value[first]) ? [first] : [first, second];
          const result = await editYaml(source, path, newValue);
          const expected =
            path.length === 1
              ? { ...value, [first]: newValue }
              : { ...value, [first]: { ...(value[first] as object), [String(second)]: newValue } };
          expect(parse(result ?? '')).toEqual(expected);
        },
      ),
    );
  });
});

function isMap(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
