import type { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  Connection,
  PublishDiagnosticsParams,
  TextDocuments,
} from 'vscode-languageserver/node';
import { DocumentChecks } from '../../../cli/lsp/document-checks.js';
import type { EditorCheckResult, Workspace } from '../../../cli/lsp/workspace.js';

const uri = 'file:///shop/castellan.yaml';

/** The result of a check with one finding. */
function resultWith(message: string, file = '/shop/castellan.yaml'): EditorCheckResult {
  const location = { file, line: 1, column: 1 };
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

  it('send the diagnostics of each file in the order of the checks, also to a slow editor', async () => {
    const results = [
      resultWith('first', '/shop/x.yaml'),
      resultWith('old', '/shop/a.yaml'),
      resultWith('new', '/shop/a.yaml'),
    ];
    const document = { uri, version: 1 };
    const shown = new Map<string, readonly string[]>();
    const sendDiagnostics = ({ uri: file, diagnostics }: PublishDiagnosticsParams) => {
      shown.set(
        file,
        diagnostics.map(({ message }) => String(message)),
      );
      return new Promise((resolve) => setTimeout(resolve, 1000));
    };
    const checks = new DocumentChecks(
      { sendDiagnostics } as unknown as Connection,
      { get: () => document, all: () => [document] } as unknown as TextDocuments<TextDocument>,
      { check: () => Promise.resolve(results.shift()) } as unknown as Workspace,
    );
    checks.schedule(uri);
    await vi.runAllTimersAsync();
    for (let started = 0; started < 2; started++) {
      checks.schedule(uri);
      await vi.advanceTimersByTimeAsync(200);
    }
    await vi.runAllTimersAsync();
    expect(shown.get('file:///shop/a.yaml')).toEqual([expect.stringContaining('new')]);
  });
});
