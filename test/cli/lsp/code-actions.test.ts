import { pathToFileURL } from 'node:url';
import { codeActionsIn } from '../../../cli/lsp/code-actions.js';
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
    expect(codeActionsIn(uri, wholeFile, findings, stacks)).toMatchObject([
      {
        edit: { changes: { [uri]: [{ range: { start: { line: 8 } }, newText: 'Private' }] } },
      },
    ]);
  });
});
