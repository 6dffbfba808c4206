import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../core/findings/finding.js';
import { containsPlace, editsFor, fixEdit } from '../../policies/check/fix-findings.js';
import { mayWidenAccess } from '../../policies/check/widening-fixes.js';
import type { LoadedStack } from '../../policies/index.js';
import { rangeOf } from './diagnostics.js';
import { uriOf } from './workspace.js';

/**
 * The fixes of the findings in a range, as edits that keep comments and layout; each once, although
 * every configuration that includes a file has its mistake.
 */
export function quickFixesIn(
  uri: string,
  range: Range,
  findings: readonly Finding[],
  stacks: readonly LoadedStack[],
): CodeAction[] {
  const actions = findings.flatMap((finding): CodeAction[] => {
    const { fix, location, ruleId } = finding;
    if (
      fix === undefined ||
      location === undefined ||
      uriOf(location.file) !== uri ||
      !rangesOverlap(rangeOf(location), range)
    )
      return [];
    const edit = stacks
      .flatMap((stack) => stack.layers.documents.toReversed())
      .flatMap((document) => {
        if (!containsPlace(document, location)) return [];
        const textEdit = fixEdit(document, fix);
        return textEdit === undefined
          ? []
          : [
              {
                range: rangeOf(document.source.location(textEdit.start, textEdit.end)),
                newText: textEdit.text,
              },
            ];
      })[0];
    if (edit === undefined) return [];
    return [
      {
        title: `${fix.description} (${ruleId})`,
        kind: CodeActionKind.QuickFix,
        // what an editor applies without showing it must not change who gets in
        isPreferred: !mayWidenAccess(fix),
        edit: { changes: { [uri]: [edit] } },
      },
    ];
  });
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

/** The kind of the action that an editor may run whenever a file is saved. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.castellan`;

/**
 * All fixes of a file at once, except those that may change who gets in, as `castellan fix` does.
 */
export function fixAllIn(
  uri: string,
  findings: readonly Finding[],
  stacks: readonly LoadedStack[],
): CodeAction[] {
  const fixable = findings.filter(({ fix }) => fix !== undefined && !mayWidenAccess(fix));
  const edits = editsFor(fixable, stacks).flatMap(({ file, edit }) => {
    if (uriOf(file) !== uri) return [];
    const document = stacks
      .flatMap(({ layers }) => layers.documents)
      .find(({ source }) => source.file === file);
    return document === undefined
      ? []
      : [{ range: rangeOf(document.source.location(edit.start, edit.end)), newText: edit.text }];
  });
  if (edits.length === 0) return [];
  const title = `Fix all findings of this file that have a fix (${String(edits.length)})`;
  return [{ title, kind: fixAllKind, edit: { changes: { [uri]: edits } } }];
}

/**
 * A comment that accepts a finding beside its line, to be completed: without a reason and an owner
 * it is a finding itself.
 */
export function suppressionActionsIn(
  document: TextDocument,
  range: Range,
  findings: readonly Finding[],
): CodeAction[] {
  if (document.uri.endsWith('.json')) return []; // JSON has no comments
  const actions = new Map<string, CodeAction>();
  for (const { ruleId, verdict, location } of findings) {
    if (
      verdict !== 'fail' ||
      location === undefined ||
      !/^[a-z]/.test(ruleId) ||
      /^(config|suppression|baseline|pack)-/.test(ruleId)
    )
      continue;
    const findingRange = rangeOf(location);
    if (!rangesOverlap(findingRange, range) || actions.has(ruleId)) continue;
    const line = document.getText({
      start: { line: findingRange.start.line, character: 0 },
      end: { line: findingRange.start.line + 1, character: 0 },
    });
    const end = { line: findingRange.start.line, character: line.trimEnd().length };
    const newText = ` # castellan-ignore ${ruleId} reason="" owner= until=`;
    if (line.includes('#')) continue; // a line can have only one comment
    const edit = { changes: { [document.uri]: [{ range: { start: end, end }, newText }] } };
    actions.set(ruleId, {
      title: `Accept here, with a reason (${ruleId})`,
      kind: CodeActionKind.QuickFix,
      edit,
    });
  }
  return [...actions.values()];
}

function rangesOverlap(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
