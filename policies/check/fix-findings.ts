import type { Finding, Fix, SourceLocation } from '../../core/findings/finding.js';
import {
  applyEdits,
  editToSetValue,
  editToRenameKey,
  type TextEdit,
} from '../../core/yaml/yaml-edits.js';
import type { YamlDocument } from '../../core/yaml/parse-yaml.js';
import { valueAt } from '../engine/schema-validation.js';
import type { LoadedStack } from '../model/loaded-stack.js';

/** An edit of a file, with the finding that it fixes. */
export interface FileEdit {
  readonly file: string;
  readonly edit: TextEdit;
  readonly finding: Finding;
}

/** The edits of the findings' fixes, without overlapping ones. */
export function editsFor(
  findings: readonly Finding[],
  stacks: readonly LoadedStack[],
): readonly FileEdit[] {
  const edits: FileEdit[] = [];
  for (const finding of findings) {
    const edit = finding.verdict === 'fail' ? editFor(finding, stacks) : undefined;
    if (
      edit === undefined ||
      edits.some((other) => other.file === edit.file && doOverlap(other.edit, edit.edit))
    )
      continue;
    edits.push(edit);
  }
  return edits;
}

/** The edit of a finding's fix, in the file that sets the value. */
export function editFor(finding: Finding, stacks: readonly LoadedStack[]): FileEdit | undefined {
  const { fix, location } = finding;
  if (fix === undefined || location === undefined) return undefined;
  const stacksWithPlace = stacks.filter(({ layers }) =>
    layers.documents.some((document) => containsPlace(document, location)),
  );
  if (stacksWithPlace.some((stack) => addsDuplicate(stack, fix))) return undefined;
  for (const stack of stacksWithPlace) {
    for (const document of stack.layers.documents.toReversed()) {
      if (!containsPlace(document, location)) continue;
      const edit = fixEdit(document, fix);
      if (edit !== undefined) return { file: location.file, edit, finding };
    }
  }
  return undefined;
}

/** Whether a place is in a document: a file may have several, each of a stack of its own. */
export function containsPlace(
  { source, root }: YamlDocument,
  { file, line }: SourceLocation,
): boolean {
  return (
    source.file === file &&
    source.position(root.start).line <= line &&
    line <= source.position(root.end).line
  );
}

/** Whether a fix would add a value that its list already has. */
function addsDuplicate({ config }: LoadedStack, { path, value }: Fix): boolean {
  const list = valueAt(config, path.slice(0, -1));
  const last = path.at(-1);
  return (
    value !== undefined &&
    Array.isArray(list) &&
    list.some((each, index) => index !== last && each === value)
  );
}

/** A file's text with edits applied. */
export function applyFileEdits(text: string, edits: readonly FileEdit[]): string {
  return applyEdits(
    text,
    edits.map(({ edit }) => edit),
  );
}

/** The edit of a document for a fix. */
export function fixEdit(document: YamlDocument, { path, value, key }: Fix): TextEdit | undefined {
  return key === undefined
    ? editToSetValue(document, path, value)
    : editToRenameKey(document, path, key);
}

function doOverlap(a: TextEdit, b: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}
