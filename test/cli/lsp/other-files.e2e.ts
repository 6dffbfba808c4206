import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editor } from './editor.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-other-files-'));
const file = (name: string): string => join(folder, name);
const config = 'version: 1\nstack: shop\ninclude: [people.yaml, broken.yaml]\n';
const others = {
  'docker-compose.yaml': 'services:\n  web: { image: "web:1" }\nversion: "3"\n',
  'seed.yaml': 'users: []\n',
  'castellan.access-test.yaml': 'version: 1\ntests: []\n',
} as const;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the language server of an editor that sends it every YAML file', () => {
  let editor: Editor;
  beforeAll(async () => {
    writeFileSync(file('castellan.yaml'), config);
    editor = await Editor.start();
    await editor.open(file('castellan.yaml'), config);
    for (const [name, text] of Object.entries(others)) await editor.open(file(name), text);
  });
  afterAll(() => editor.stop());

  it.each(Object.keys(others))('says nothing about %s', async (name) => {
    expect(await editor.waitForDiagnostics(file(name), () => true)).toEqual([]);
    expect(await editor.hover(file(name), { line: 0, character: 1 })).toBe('');
    expect(await editor.complete(file(name), { line: 2, character: 0 })).toEqual([]);
  });

  it.each([
    ['one that a configuration includes', 'people.yaml', 'groups:\n  a: { kind: x }\n'],
    ['one that it includes, and that is no YAML yet', 'broken.yaml', 'groups: [\n'],
    ['one of another name with a stack', 'shop.yaml', 'version: 1\nstack: other\ngroups: 3\n'],
    ['one in flow style', 'flow.yaml', '{ version: 1, stack: other, groups: 3 }\n'],
  ])('checks %s', async (_, name, text) => {
    await editor.open(file(name), text);
    expect(await editor.waitForDiagnostics(file(name), (codes) => codes.length > 0)).not.toEqual(
      [],
    );
    expect(await editor.hover(file(name), { line: 0, character: 3 })).not.toBe('');
  });

  it('knows what is included after a moment in which it was no YAML', async () => {
    const path = file('broken.yaml');
    const codesOf = (text: string, isExpected: (codes: readonly string[]) => boolean) =>
      editor.change(path, text).then(() => editor.waitForDiagnostics(path, isExpected));
    await codesOf('groups: [\n', (codes) => codes.some((each) => each.includes('config-')));
    await codesOf('groups: {}\n', (codes) => codes.length === 0);
    expect(await codesOf('groups: 3\n', (codes) => codes.length > 0)).toEqual(['1 property-type']);
  });
});
