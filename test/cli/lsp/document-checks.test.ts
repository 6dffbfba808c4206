import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import { DocumentChecks } from '../../../cli/lsp/document-checks.js';
import type { EditorCheckResult, Workspace } from '../../../cli/lsp/workspace.js';

const uri = 'file:///shop/castellan.yaml';

/** The result of a check with one finding. */
function resultWith(message: string): EditorCheckResult {
  const location = { file: '/shop/castellan.yaml', line: 1, column: 1 };
  const finding = { ruleId: 'CAS1001', message, location, severity: 'error', verdict: 'fail' };
  return { stacks: [], findings: [finding] } as unknown as EditorCheckResult;
}

describe('the checks of a document', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('keep the result of the one that was started last, whichever finishes last', async () => {
    const finishers: ((result: EditorCheckResult) => void)[] = [];
    const check = (): Promise<EditorCheckResult> => new Promise((done) => finishers.push(done));
    const document = { uri, version: 1 };
    const checks = new DocumentChecks(
      { sendDiagnostics: () => Promise.resolve() } as unknown as Connection,
      { get: () => document, all: () => [document] } as unknown as TextDocuments<TextDocument>,
      { check } as unknown as Workspace,
    );
    // a file that the document includes is saved while the first check runs
    for (let started = 0; started < 2; started++) {
      checks.schedule(uri);
      await vi.runAllTimersAsync();
    }
    finishers[1]?.(resultWith('new'));
    await vi.runAllTimersAsync();
    finishers[0]?.(resultWith('old'));
    await vi.runAllTimersAsync();
    expect(checks.findingsIn(uri).map(({ message }) => message)).toEqual(['new']);
  });
});
