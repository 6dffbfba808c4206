import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { parseSeed } from '../../../sandbox/serve/seed-file.js';
import { readSeedParts } from '../../../sandbox/serve/seed-parts.js';
import type { SeedLists } from '../../../services/common/seed.js';

describe('a seed that is read in parts', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-seed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const writeSeed = (text: string): string => {
    const file = join(folder, 'seed.yaml');
    writeFileSync(file, text);
    return file;
  };
  const readAllParts = (file: string): SeedLists => {
    const allEntries: Record<string, unknown[]> = {};
    for (const part of readSeedParts(file))
      for (const [list, entries] of Object.entries(part))
        (allEntries[list] ??= []).push(...entries);
    return allEntries as SeedLists;
  };
  const mistakeIn = (text: string): string => {
    try {
      readAllParts(writeSeed(text));
    } catch (error) {
      return (error as Error).message.replace(folder, '');
    }
    return 'none';
  };

  it.each([
    [
      'dashes at the margin',
      'users:\n- displayName: A\n  id: x\n- displayName: B\ngroups:\n- displayName: G\n  members:\n  - a\n  - b\n',
    ],
    [
      'dashes further in',
      '# people\nusers:\n  - displayName: A\n    at: 2026-01-15T10:00:00Z\n\n  # next\n  - displayName: "B"\ngroups: []\ntags:\n',
    ],
    [
      'JSON behind a dash',
      'users:\n- {"displayName": "A", "n": 1}\n- {displayName: B}\n- {"displayName": "C"}\n',
    ],
    [
      'text of several lines',
      'users:\n  - displayName: |\n      one\n      - two\n    x: >-\n      a\n      b\n  -\n    displayName: B\n',
    ],
    ['Windows line ends', '---\r\nusers:\r\n- displayName: A\r\n- displayName: B\r\n'],
    [
      'JSON',
      '{"users": [{"displayName": "A, [}\\" b", "tags": ["x", "y"]}, {"displayName": "B"}], "groups": [], "tags": [{}]}',
    ],
    [
      'JSON over lines',
      '{\n  "users": [\n    {\n      "displayName": "A"\n    },\n    {\n      "displayName": "B"\n    }\n  ]\n}\n',
    ],
    ['nothing', ''],
  ])('contains the same as one that is read at once: %s', (_, text) => {
    const nonEmptyLists = Object.entries(parseSeed(text, 'seed.yaml')).filter(
      ([, list]) => (list as unknown[]).length > 0,
    );
    expect(readAllParts(writeSeed(text))).toEqual(Object.fromEntries(nonEmptyLists));
  });

  it('contains what was written, whatever it is', () => {
    const entry = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 5,
      noNullPrototype: true,
    });
    const lists = fc.record({
      users: fc.array(entry, { minLength: 1 }),
      groups: fc.array(entry, { minLength: 1 }),
    });
    fc.assert(
      fc.property(lists, fc.boolean(), (seed, asJson) => {
        const expectedSeed = JSON.parse(
          JSON.stringify(seed).replaceAll('__proto__', 'proto'),
        ) as SeedLists;
        expect(
          readAllParts(
            writeSeed(asJson ? JSON.stringify(expectedSeed, null, 1) : dump(expectedSeed)),
          ),
        ).toEqual(expectedSeed);
      }),
    );
  });

  it('arrives in parts of one list and of limited size, across the chunks of the file', () => {
    const users = Array.from(
      { length: 30_000 },
      (_, index) => `- {"displayName": "Pérson ${index} ${'x'.repeat(60)}"}`,
    );
    const parts = [
      ...readSeedParts(writeSeed(`users:\n${users.join('\n')}\ngroups:\n- displayName: G\n`)),
    ];
    expect(parts.map((part) => Object.keys(part).join())).toEqual([
      ...Array<string>(15).fill('users'),
      'groups',
    ]);
    expect(
      parts
        .flatMap((part) => part.users ?? [])
        .map((user) => String(user['displayName']).split(' ')[1]),
    ).toEqual(users.map((_, index) => String(index)));
  });

  it('refuses a file without line ends before reading all of it', () => {
    expect(mistakeIn(`groups: []\nusers: [${'x'.repeat(20_000_000)}`)).toContain(
      '/seed.yaml:2: a line of more than 16 MB',
    );
  });

  it.each([
    [
      'usres:\n- displayName: A\n',
      '/seed.yaml:1: "usres" is not a list of a seed, did you mean "users"?',
    ],
    [
      'users:\n- displayName: A\n- just text\n',
      '/seed.yaml:3: every entry of "users" is a map of properties',
    ],
    ['users:\n- displayName: A\n  x: [1\n', '/seed.yaml:4: '],
    [
      'users: [{}]\n',
      '/seed.yaml:1: in a file of this size the entries of "users" stand below it, each behind a dash',
    ],
    ['users:\n  displayName: A\n', '/seed.yaml:2: an entry of a list is expected here ("- …")'],
    ['{"users": {}}', '/seed.yaml:1: a list is expected here ("users": […])'],
    ['{"users": [{"a": 1}', '/seed.yaml:1: the JSON ends before it is complete'],
    ['{"usres": []}', '/seed.yaml:1: "usres" is not a list of a seed, did you mean "users"?'],
  ])('locates the mistake: %j', (text, expected) => {
    expect(mistakeIn(text)).toContain(expected);
  });
});
