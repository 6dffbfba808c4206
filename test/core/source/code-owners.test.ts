import { codeOwners } from '../../../core/source/code-owners.js';

const readOwners = (text: string, place = '/repo/.github/CODEOWNERS') =>
  codeOwners('/repo', {
    stat: (path) => ({ kind: path === place ? 'file' : 'missing', size: 0 }),
    read: () => Buffer.from(text),
    list: () => [],
  });

test('the last pattern that matches a file names its owners', () => {
  const ownersOf = readOwners(
    '# all\n* @shop/everyone\n/policies/ @shop/security @shop/platform # both\n*.json\ndocs/* a@b.c\n',
  );
  expect(ownersOf('/repo/castellan.yaml')).toEqual(['@shop/everyone']);
  expect(ownersOf('/repo/policies/deep/x.yaml')).toEqual(['@shop/security', '@shop/platform']);
  expect(ownersOf('/repo/apps/policies/x.yaml')).toEqual(['@shop/everyone']);
  expect(ownersOf('/repo/policies/x.json')).toEqual([]);
  expect(ownersOf('/repo/docs/x.md')).toEqual(['a@b.c']);
  expect(ownersOf('/repo/docs/deep/x.md')).toEqual(['@shop/everyone']);
  expect(ownersOf('/elsewhere/x')).toEqual([]);
});

test('GitLab sections are no patterns', () => {
  const ownersOf = readOwners(
    '[Security][2] @shop/security\ncastellan.* @shop/security\n',
    '/repo/CODEOWNERS',
  );
  expect(ownersOf('/repo/a/castellan.yaml')).toEqual(['@shop/security']);
});

test('a pattern without owners has those of its GitLab section', () => {
  const ownersOf = readOwners('[Database team][2] @shop/data\ndb/\nb.yaml @b\n[Other]\nc.yaml\n');
  expect(['db/x', 'b.yaml', 'c.yaml'].map((file) => ownersOf(`/repo/${file}`))).toEqual([
    ['@shop/data'],
    ['@b'],
    [],
  ]);
});

test('nobody owns what needs no approval: GitLab’s optional sections and exclusions', () => {
  const ownersOf = readOwners(
    '* @shop/all\n!docs/\n^[Security] @x\na.yaml @shop/security\n[Other]\nb.yaml @b\n',
  );
  expect(['c.yaml', 'docs/x', 'a.yaml', 'b.yaml'].map((file) => ownersOf(`/repo/${file}`))).toEqual(
    [['@shop/all'], [], [], ['@b']],
  );
});

test('patterns tell upper from lower case, as GitHub and GitLab do', () => {
  expect(readOwners('/Shop/ @shop/security\n')('/repo/shop/castellan.yaml')).toEqual([]);
});

test('without the file nobody owns anything', () => {
  expect(readOwners('* @a', '/repo/elsewhere')('/repo/x')).toEqual([]);
});
