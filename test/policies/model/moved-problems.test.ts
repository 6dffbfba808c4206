import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../policies/model/load-config.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-moved-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (...documents: string[]) => {
  writeFileSync(
    join(folder, 'castellan.yaml'),
    documents.map((each) => `version: 1\n${each}`).join('---\n'),
  );
  return loadConfig({ paths: ['castellan.yaml'], cwd: folder });
};
const findingLines = async (...documents: string[]) =>
  (await load(...documents)).findings.map(
    ({ ruleId, message, location }) => `${location?.line}:${location?.column} ${ruleId} ${message}`,
  );
const shop = (moved: string, rest = '') =>
  `stack: shop\nmoved:\n${moved}groups: { new: { displayName: New } }\n${rest}`;

describe('the entries of moved', () => {
  it('accept what was renamed, several times too, and what was in another stack', async () => {
    expect(
      await findingLines(
        shop(
          '  - { from: groups.older, to: groups.old }\n  - { from: groups.old, to: groups.new }\n  - { from: front/groups.x, to: shop/groups.x }\n',
        ).replace('{ new:', '{ x: { displayName: X }, new:'),
        'stack: front\n',
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'from is still declared',
      '{ from: groups.new, to: groups.now }',
      '4:13 config-moved groups.new is still declared: remove its declaration, or this entry',
    ],
    [
      'to is not declared',
      '{ from: groups.old, to: groups.nwe }',
      '4:29 config-moved groups.nwe is not declared; did you mean "new"?',
    ],
    [
      'the sections differ',
      '{ from: groups.old, to: registrations.new }',
      "4:29 config-moved groups.old can't become registrations.new: what moves stays in its section",
    ],
    [
      'a stack becomes a declaration',
      '{ from: front, to: groups.new }',
      "4:24 config-moved front can't become groups.new: a stack moves to a stack, a declaration to a declaration",
    ],
    [
      'from and to are the same',
      '{ from: shop/groups.new, to: groups.new }',
      '4:34 config-moved from and to are both groups.new: remove the entry',
    ],
    [
      'neither is in the stack',
      '{ from: a/groups.old, to: b/groups.new }',
      '4:31 config-moved neither a/groups.old nor b/groups.new is in the stack shop: move the entry to one of theirs',
    ],
  ])('are refused where %s', async (_mistake, entry, finding) => {
    expect(await findingLines(shop(`  - ${entry}\n`))).toEqual([finding]);
  });

  it('are refused where they repeat each other', async () => {
    expect(
      await findingLines(
        shop('  - { from: groups.a, to: groups.new }\n  - { from: groups.b, to: groups.new }\n'),
      ),
    ).toEqual([
      '4:27 config-moved two entries move to groups.new: only one can',
      '5:27 config-moved two entries move to groups.new: only one can',
    ]);
    expect(
      await findingLines(
        shop('  - { from: groups.a, to: groups.new }\n  - { from: groups.a, to: groups.b }\n'),
      ),
    ).toEqual([
      '4:13 config-moved groups.a moves twice: it can have one new place',
      '5:13 config-moved groups.a moves twice: it can have one new place',
    ]);
  });

  it('are refused where they form a cycle', async () => {
    expect(
      await findingLines(
        shop('  - { from: groups.a, to: groups.b }\n  - { from: groups.b, to: groups.a }\n'),
      ),
    ).toEqual([
      '4:13 config-moved moved goes in a circle: groups.a -> groups.b -> groups.a; remove one of the entries',
      '5:13 config-moved moved goes in a circle: groups.b -> groups.a -> groups.b; remove one of the entries',
    ]);
  });

  it('are refused where another stack still declares what moved, or the old stack is still there', async () => {
    const front = 'stack: front\ngroups: { old: { displayName: Old } }\n';
    expect(
      await findingLines(shop('  - { from: front/groups.old, to: groups.new }\n'), front),
    ).toEqual([
      '4:13 config-moved front/groups.old is still declared: remove its declaration, or this entry',
    ]);
    expect(await findingLines(shop('  - { from: front, to: shop }\n'), front)).toEqual([
      '4:13 config-moved front is still declared: remove its declaration, or this entry',
    ]);
  });

  it('are refused where an app would be replaced in another resource group', async () => {
    const apps = 'containerApps: { web: { image: web:1 } }\n';
    const entry = '  - { from: front/containerApps.web, to: containerApps.web }\n';
    expect(await findingLines(shop(entry, apps), 'stack: front\n')).toEqual([
      '4:42 config-moved front/containerApps.web is in the resource group rg-front, and would be replaced by one in rg-shop: write azure: { resourceGroup: { existing: rg-front } } in the stack shop',
    ]);
    const appsInOldGroup = `azure: { resourceGroup: { existing: rg-front } }\n${apps}`;
    expect(await findingLines(shop(entry, appsInOldGroup), 'stack: front\n')).toEqual([]);
  });

  it('let names that follow from the key keep their value', async () => {
    const { stacks } = await load(shop('  - { from: groups.old, to: groups.new }\n'));
    expect(stacks[0]?.config.groups).toEqual({ new: { displayName: 'New', mailNickname: 'old' } });
  });
});

test('a section that is a list by mistake stays one, beside moved, so that the check says so', async () => {
  const { stacks } = await load(
    'stack: shop\nmoved:\n  - { from: groups.old, to: groups.new }\ngroups: [{ displayName: New }]\n',
  );
  expect(stacks[0]?.config.groups).toEqual([{ displayName: 'New' }]);
});
