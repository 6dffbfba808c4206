import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { quickFixesIn, suppressionActionsIn } from '../../../cli/lsp/code-actions.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import { checkStack } from '../../../policies/check/check-stack.js';
import { loadConfig } from '../../../policies/model/load-config.js';

describe('the fixes that an editor offers', () => {
  it('change the stack that has the mistake, of several in one file', async () => {
    const text = `version: 1
stack: one
groups:
  staff: { kind: security, displayName: Staff }
---
version: 1
stack: two
groups:
  staff: { kind: security, displayName: Staff, isAssignableToRole: true, visibility: Public }
`;
    const file = '/project/castellan.yaml';
    const files: FileAccess = {
      stat: () => ({ kind: 'file', size: text.length }),
      read: () => Buffer.from(text),
      list: () => [],
    };
    const { stacks } = await loadConfig({ paths: [file], files });
    const findings = stacks.flatMap((stack) => checkStack(stack, { env: {}, now: new Date() }));
    const uri = pathToFileURL(file).href;
    const wholeFile = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    expect(quickFixesIn(uri, wholeFile, findings, stacks)).toMatchObject([
      {
        edit: { changes: { [uri]: [{ range: { start: { line: 8 } }, newText: 'Private' }] } },
      },
    ]);
  });

  it('are offered once for a file that several configurations include', async () => {
    const texts: Readonly<Record<string, string>> = {
      '/project/a/castellan.yaml': 'version: 1\nstack: a\ninclude: [../teams.yaml]\n',
      '/project/b/castellan.yaml': 'version: 1\nstack: b\ninclude: [../teams.yaml]\n',
      '/project/teams.yaml': 'groups:\n  staff: { kind: securty, displayName: Staff }\n',
    };
    const files: FileAccess = {
      stat: (path) => (path in texts ? { kind: 'file', size: 100 } : { kind: 'missing', size: 0 }),
      read: (path) => Buffer.from(texts[path] ?? ''),
      list: () => [],
    };
    const paths = ['/project/a/castellan.yaml', '/project/b/castellan.yaml'];
    const { stacks } = await loadConfig({ paths, files });
    const findings = stacks.flatMap((stack) => checkStack(stack, { env: {}, now: new Date() }));
    const line = { start: { line: 1, character: 0 }, end: { line: 1, character: 60 } };
    const uri = pathToFileURL('/project/teams.yaml').href;
    const titles = quickFixesIn(uri, line, findings, stacks).map(({ title }) => title);
    expect(titles).toEqual(['write security (group-kind)']);
  });
});

describe('the comment that accepts a finding', () => {
  it.each([
    ['castellan.yaml', 1],
    ['castellan.json', 0],
  ])('is offered in %s %i times: JSON has no comments', (name, expected) => {
    const uri = pathToFileURL(`/project/${name}`).href;
    const document = TextDocument.create(uri, 'yaml', 1, '{\n"stack": "a"\n}\n');
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 7 } };
    const finding = {
      ruleId: 'group-two-owners',
      messageId: 'none',
      parameters: {},
      verdict: 'fail',
      severity: 'info',
      message: '',
      location: { file: `/project/${name}`, line: 2, column: 1 },
      fingerprint: 'f',
    } as const;
    expect(suppressionActionsIn(document, range, [finding])).toHaveLength(expected);
  });
});
