import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Editor } from './editor.js';

const rule = `const { defineRule } = require('castellan/policies');
exports.noRed = defineRule({ id: 'no-red', title: 'No red.', why: 'Alarms.', severity: 'warning', source: 'us', sections: ['groups'],
  messages: { red: 'red' }, check(group, { report }) { if (group.value.theme === 'Red') report({ messageId: 'red', path: ['theme'] }); } });\n`;
const groups = `groups:\n  alarms:\n    kind: unified\n    displayName: Alarms\n    theme: Red\n`;
const stack =
  'version: 1\nstack: shop\ninclude: [parts/*.yaml]\nprincipals:\n  ada: { user: ada@contoso.example }\n';

describe('the language server beside a policy and includes', () => {
  let folder: string;
  let editor: Editor;
  const file = (name: string): string => join(folder, name);
  const write = (name: string, content: string): string => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), content);
    return file(name);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-lsp-'));
    write(
      'castellan.policy.yaml',
      'version: 1\npacks: [{ file: no-red.js }]\nrules: { group-two-owners: off, no-red: error }\n',
    );
    mkdirSync(file('.git')); // a policy is looked for up to the repository's root
    write('no-red.js', rule);
    write('shop/castellan.yaml', stack);
    write('shop/parts/groups.yaml', groups);
    editor = await Editor.start();
  });
  afterAll(async () => {
    expect(await editor.stop()).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  it('checks an included file as part of the including configuration, by the policy above and its custom rules', async () => {
    await editor.open(file('shop/parts/groups.yaml'), groups);
    expect(
      await editor.waitForDiagnostics(file('shop/parts/groups.yaml'), (codes) => codes.length > 0),
    ).toEqual(['5 no-red']);
    expect(editor.diagnostics(file('shop/parts/groups.yaml'))[0]).toMatchObject({
      severity: 1,
      source: 'castellan',
    });
  });

  it('checks a file with every configuration that includes it, and says whose finding it is', async () => {
    const staffYaml =
      'groups:\n  staff: { kind: security, displayName: Staff, owners: [ada, grace], theme: Red }\n';
    const including = (name: string, people: string): string =>
      `version: 1\nstack: ${name}\ninclude: [../common/staff.yaml]\nprincipals: ${people}\n`;
    write('common/staff.yaml', staffYaml);
    write(
      'first/castellan.yaml',
      including(
        'first',
        '{ ada: { user: ada@contoso.example }, grace: { user: grace@contoso.example } }',
      ),
    );
    write('second/castellan.yaml', including('second', '{ ada: { user: ada@contoso.example } }'));
    const path = file('common/staff.yaml');
    await editor.open(path, staffYaml);
    await editor.waitForDiagnostics(path, (codes) => codes.includes('2 no-red'));
    expect(
      editor
        .diagnostics(path)
        .map(({ code, message }) => `${String(code)}: ${message}`)
        .filter((each) => /^(no-red|reference-exists)/.test(each)),
    ).toEqual([
      'reference-exists: there is no principal "grace"; declared: ada (stack second)',
      'no-red: red (stacks first and second)',
    ]);
    await editor.change(path, staffYaml.replace(', grace]', ']').replace(', theme: Red', ''));
    await editor.waitForDiagnostics(path, (codes) => codes.length === 0);
  });

  it('completes the names that the including file declares', async () => {
    const text = `${groups}    owners: [`;
    await editor.change(file('shop/parts/groups.yaml'), text);
    expect(
      await editor.complete(
        file('shop/parts/groups.yaml'),
        editor.placeOf(file('shop/parts/groups.yaml'), 'owners: ['),
      ),
    ).toContain('ada');
  });

  it('offers to accept a finding with a comment, which is a finding itself until it has a reason', async () => {
    await editor.change(file('shop/parts/groups.yaml'), groups);
    await editor.waitForDiagnostics(file('shop/parts/groups.yaml'), (codes) => codes.length === 1);
    const actions = await editor.actions(
      file('shop/parts/groups.yaml'),
      editor.placeOf(file('shop/parts/groups.yaml'), 'theme: Red', 8),
    );
    expect(actions.map(({ title }) => title)).toEqual(['Accept here, with a reason (no-red)']);
    const [edit] = Object.values(actions[0]?.edit?.changes ?? {})[0] ?? [];
    await editor.change(
      file('shop/parts/groups.yaml'),
      groups.replace('theme: Red', `theme: Red${edit?.newText ?? ''}`),
    );
    const codes = await editor.waitForDiagnostics(file('shop/parts/groups.yaml'), (shown) =>
      shown.includes('5 suppression-incomplete'),
    );
    expect(new Set(codes)).toEqual(new Set(['5 no-red', '5 suppression-incomplete']));
    const suppressionComment =
      ' # castellan-ignore no-red reason="it is one" owner=ops until=2030-01-01';
    await editor.change(
      file('shop/parts/groups.yaml'),
      groups.replace('theme: Red', `theme: Red${suppressionComment}`),
    );
    expect(
      await editor.waitForDiagnostics(
        file('shop/parts/groups.yaml'),
        (codes) => codes.length === 0,
      ),
    ).toEqual([]);
  });

  it('serves the policy itself: mistakes, the ids of rules, what a key means', async () => {
    const policy = 'version: 1\nrules:\n  group-them: off\n  \n';
    await editor.open(file('castellan.policy.yaml'), policy);
    expect(
      await editor.waitForDiagnostics(file('castellan.policy.yaml'), (codes) => codes.length > 0),
    ).toEqual(['3 policy-rule']);
    expect(
      await editor.complete(file('castellan.policy.yaml'), { line: 3, character: 2 }),
    ).toContain('group-theme');
    expect(await editor.complete(file('castellan.policy.yaml'), { line: 4, character: 0 })).toEqual(
      expect.arrayContaining(['scopes', 'packs']),
    );
    expect(await editor.hover(file('castellan.policy.yaml'), { line: 1, character: 1 })).toContain(
      'Settings of rules by id',
    );
  });

  it('reports in the policy why a pack cannot run', async () => {
    await editor.change(
      file('castellan.policy.yaml'),
      'version: 1\npacks: [{ file: nowhere.js }]\n',
    );
    expect(
      await editor.waitForDiagnostics(
        file('castellan.policy.yaml'),
        (codes) => codes.join() === '1 CAS7003',
      ),
    ).toEqual(['1 CAS7003']);
  });
});

describe('the language server under stress', () => {
  let folder: string;
  let editor: Editor;
  let file: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-lsp-'));
    file = join(folder, 'castellan.yaml');
    editor = await Editor.start();
    await editor.open(file, 'version: 1\nstack: shop\n');
  });
  afterAll(async () => {
    expect(await editor.stop()).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  it('counts in UTF-16 units beside emoji, and at the line ends of Windows', async () => {
    const text =
      "version: 1\r\nstack: shop\r\ngroups:\r\n  a: { displayName: '🚨🚨', kind: unified, theme: Rd }\r\n  b: { displayName: B, kind: securty }\r\n";
    await editor.change(file, text);
    await editor.waitForDiagnostics(file, (codes) => codes.includes('4 group-theme'));
    const theme = editor.diagnostics(file).find(({ code }) => code === 'group-theme');
    expect(theme?.range).toEqual({
      start: editor.placeOf(file, 'Rd', 0),
      end: editor.placeOf(file, 'Rd'),
    });
    const [fix] = await editor.actions(file, editor.placeOf(file, 'securty', 2));
    const [edit] = Object.values(fix?.edit?.changes ?? {})[0] ?? [];
    expect(edit).toEqual({
      range: { start: editor.placeOf(file, 'securty', 0), end: editor.placeOf(file, 'securty') },
      newText: 'security',
    });
    expect(await editor.complete(file, editor.placeOf(file, 'theme: '))).toEqual(
      expect.arrayContaining(['Teal', 'Red']),
    );
    expect(await editor.hover(file, editor.placeOf(file, 'theme', 2))).toContain('**theme**');
  });

  it('follows single keystrokes, and shows the result of the last', async () => {
    let text = 'version: 1\nstack: shop\n';
    await editor.change(file, text);
    for (const key of 'groups:\n  a: { kind: security, displayName: A }\n') {
      const lines = text.split('\n');
      const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      await editor.change(file, key, { start: end, end });
      text += key;
    }
    expect(
      await editor.waitForDiagnostics(file, (codes) => codes.join() === '4 group-two-owners'),
    ).toEqual(['4 group-two-owners']);
  });

  it.each([
    ['nothing', ''],
    ['half a list', 'groups: {a: [ '],
    ['tabs', 'groups:\n\ta: 1\n'],
    ['a text in place of a map', 'groups: hello\nstack: [1]\n'],
    ['an alias of itself', 'a: &a [*a]\n'],
    ['control characters', 'stack: "\u0000\u0001"\n'],
    ['a very deep nest', `${'['.repeat(3000)}\n`],
    [
      'several documents',
      'version: 1\nstack: a\n---\nversion: 1\nstack: b\ngroups: { g: { kind: securty, displayName: G } }\n',
    ],
  ] as const)('goes on after %s', async (what, text) => {
    await editor.change(file, text);
    await editor.complete(file, { line: 0, character: 3 });
    await editor.complete(file, { line: 99, character: 99 });
    await editor.hover(file, { line: 0, character: 0 });
    await editor.actions(file, { line: 0, character: 0 });
    // on a line of its own each time, so that what is shown is new
    const lines = what.length;
    await editor.change(
      file,
      `version: 1\nstack: shop\n${'\n'.repeat(lines)}groups: { g: { kind: security, displayName: G } }\n`,
    );
    const expectedLine = `${String(lines + 3)} group-two-owners`;
    expect(await editor.waitForDiagnostics(file, (codes) => codes.join() === expectedLine)).toEqual(
      [expectedLine],
    );
  });
});
