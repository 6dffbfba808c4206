import { parseSeed, readSeedFile } from '../../../sandbox/serve/seed-file.js';

test('a seed is read into its lists, anchors and merge keys included', () => {
  const seed = parseSeed(
    'users:\n  - &ada { id: a, displayName: Ada }\n  - { <<: *ada, id: b }\n  - *ada\ngroups:\n',
    'seed.yaml',
  );
  expect(seed).toEqual({
    users: [
      { id: 'a', displayName: 'Ada' },
      { id: 'b', displayName: 'Ada' },
      { id: 'a', displayName: 'Ada' },
    ],
  });
});

test.each([
  ['', {}],
  ['# nothing yet\n', {}],
])('an empty seed is accepted', (text, expected) => {
  expect(parseSeed(text, 'seed.yaml')).toEqual(expected);
});

test.each([
  ['a list instead of a map', '- users\n', 'seed.yaml:1:1: a seed is a map'],
  [
    'an unknown list, with a suggestion',
    'users: []\nuser:\n  - {}\n',
    'seed.yaml:2:1: "user" is not a list of a seed, did you mean "users"?',
  ],
  ['a map where a list belongs', 'users: { id: a }\n', 'seed.yaml:1:1: "users" is not a list'],
  [
    'an entry that is no map',
    'users:\n  - ada\n',
    'seed.yaml:2:5: every entry of "users" is a map',
  ],
  ['broken YAML', 'users: [\n', 'seed.yaml:'],
  ['a key given twice', 'users: []\nusers: []\n', 'seed.yaml:2:1'],
])('%s is refused with its place', (_, text, message) => {
  expect(() => parseSeed(text, 'seed.yaml')).toThrow(message);
});

test('a missing file is refused by name', () => {
  expect(() => readSeedFile('/nowhere/seed.yaml')).toThrow("/nowhere/seed.yaml can't be read");
});
