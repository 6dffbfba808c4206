import {
  type Connection,
  type DocumentHighlight,
  ErrorCodes,
  type Location,
  type Position,
  type Range,
  ResponseError,
  type TextDocuments,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { SourceText } from '../../core/source/source-text.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
import { containerApp } from '../../kinds/container-app/container-app.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import { declaredNamePattern, declaredNameInWords } from '../../kinds/schema/schema-builders.js';
import { rangeOf } from './diagnostics.js';
import {
  isSameTarget,
  type Occurrence,
  occurrencesIn,
  type NamedDeclaration,
} from './occurrences.js';
import { uriOf, type Workspace } from './workspace.js';

interface TextPosition {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/**
 * Answers questions about names: where something is declared, where it is used, and what changes
 * when it gets another name.
 */
export function registerSymbolRequests(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  workspace: Workspace,
): void {
  const symbolAt = async ({
    textDocument: { uri },
    position,
  }: TextPosition): Promise<SymbolOccurrences | undefined> => {
    const document = documents.get(uri);
    if (document === undefined) return undefined;
    const offset = document.offsetAt(position);
    const allOccurrences = occurrencesIn(await workspace.connectedStacks(uri));
    const occurrencesAtCursor = allOccurrences.filter(
      ({ start, end, document: { source } }) =>
        uriOf(source.file) === uri && start <= offset && offset <= end,
    );
    const [first] = occurrencesAtCursor;
    return (
      first && {
        underCursor: first,
        allOccurrences,
        sameTargetOccurrences: occurrencesOfSameSymbol(occurrencesAtCursor, allOccurrences),
      }
    );
  };
  connection.onDefinition(async (documentPosition) => {
    const occurrences = await symbolAt(documentPosition);
    return occurrences && placesOf(occurrences, 'declaration');
  });
  connection.onReferences(async ({ context, ...documentPosition }) => {
    const occurrences = await symbolAt(documentPosition);
    if (occurrences === undefined) return undefined;
    return placesOf(occurrences, context.includeDeclaration ? undefined : 'reference');
  });
  connection.onDocumentHighlight(
    async (documentPosition): Promise<DocumentHighlight[] | undefined> => {
      const occurrences = await symbolAt(documentPosition);
      return (
        occurrences &&
        placesOf(occurrences)
          .filter(({ uri }) => uri === documentPosition.textDocument.uri)
          .map(({ range }) => ({ range }))
      );
    },
  );
  connection.onPrepareRename(async (documentPosition): Promise<Range | undefined> => {
    const occurrences = await symbolAt(documentPosition);
    return occurrences && locationOf(occurrences.underCursor).range;
  });
  connection.onRenameRequest(async ({ newName, ...documentPosition }) => {
    const occurrences = await symbolAt(documentPosition);
    return occurrences && renameEdit(occurrences, newName);
  });
}

/** The occurrence under the cursor, and those of the stacks around it. */
interface SymbolOccurrences {
  readonly underCursor: Occurrence;
  readonly allOccurrences: readonly Occurrence[];
  /** The occurrences with the same target. */
  readonly sameTargetOccurrences: readonly Occurrence[];
}

/**
 * The occurrences that must have one name. In a file that several stacks include, one place names a
 * declaration of each of them.
 */
function occurrencesOfSameSymbol(
  occurrencesAtCursor: readonly Occurrence[],
  allOccurrences: readonly Occurrence[],
): readonly Occurrence[] {
  const placesOfTarget = new Map<string, string[]>();
  const targetsAt = new Map<string, string[]>();
  for (const each of allOccurrences) {
    const [target, place] = [targetKey(each), placeKey(each)];
    placesOfTarget.set(target, [...(placesOfTarget.get(target) ?? []), place]);
    targetsAt.set(place, [...(targetsAt.get(place) ?? []), target]);
  }
  const targets = new Set(occurrencesAtCursor.map(targetKey));
  // iterating a Set also visits the entries that are added meanwhile
  for (const target of targets)
    for (const place of placesOfTarget.get(target) ?? [])
      for (const otherTarget of targetsAt.get(place) ?? []) targets.add(otherTarget);
  return allOccurrences.filter((each) => targets.has(targetKey(each)));
}

function targetKey({ target: { stack, within, name } }: Occurrence): string {
  return JSON.stringify([stack, within, name]);
}

function placeKey({ document: { source }, start }: Occurrence): string {
  return JSON.stringify([source.file, start]);
}

/** Where a name is written; each place once. */
function placesOf(
  { sameTargetOccurrences }: SymbolOccurrences,
  role?: Occurrence['role'],
): Location[] {
  const places = new Map<string, Location>();
  for (const each of sameTargetOccurrences)
    if (role === undefined || each.role === role) places.set(placeKey(each), locationOf(each));
  return [...places.values()];
}

function locationOf({ document: { source }, start, end }: Occurrence): Location {
  return { uri: uriOf(source.file), range: rangeOf(source.location(start, end)) };
}

/**
 * The edits that rename a symbol everywhere.
 *
 * @throws an error of the protocol, which the editor shows, for a name that is not allowed or
 *   taken.
 */
function renameEdit(occurrences: SymbolOccurrences, newName: string): WorkspaceEdit {
  const { target } = occurrences.underCursor;
  const mistake = nameMistake(target, newName);
  if (mistake !== undefined)
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `${JSON.stringify(newName)} is not a name here: ${mistake}`,
    );
  const isTaken = occurrences.sameTargetOccurrences.some(({ target: renamedTarget }) =>
    occurrences.allOccurrences.some((each) =>
      isSameTarget(each.target, { ...renamedTarget, name: newName }),
    ),
  );
  if (isTaken)
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `${target.within} has "${newName}" already: choose another name`,
    );
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const { uri, range } of placesOf(occurrences))
    (changes[uri] ??= []).push({ range, newText: newName });
  return { changes };
}

/** Why something cannot have this name; undefined if it can. */
function nameMistake({ within }: NamedDeclaration, name: string): string | undefined {
  const { pattern, inWords } = nameFormIn(within);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(name)) return inWords;
  // it is written without quotes, or between those that are there
  const parsed = parseYaml(new SourceText('name', `[${name}]`));
  const value = 'problem' in parsed ? undefined : parsed.documents[0]?.root.value;
  const isReadUnchanged = Array.isArray(value) && value.length === 1 && value[0] === name;
  return isReadUnchanged && !/["'\\]/.test(name) ? undefined : 'YAML reads it as something else';
}

/** The form of names: the keys of sections have one, those of secrets another, nodes have none. */
function nameFormIn(within: string): { readonly pattern?: string; readonly inWords?: string } {
  if (!within.includes('.')) return { pattern: declaredNamePattern, inWords: declaredNameInWords };
  if (!within.endsWith('.secrets')) return {};
  const { secrets } = containerApp.properties;
  const [pattern] = Object.keys(secrets['patternProperties'] as object);
  return omitUndefined({ pattern, inWords: metadataOf(secrets).patternDescription });
}
