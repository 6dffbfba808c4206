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
import { declaredName, declaredNameInWords } from '../../kinds/schema/schema-builders.js';
import { rangeOf } from './diagnostics.js';
import {
  isSameTarget,
  type Occurrence,
  occurrencesIn,
  type NamedDeclaration,
} from './occurrences.js';
import { uriOf, type Workspace } from './workspace.js';

interface At {
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
  const namesAt = async ({ textDocument: { uri }, position }: At): Promise<Names | undefined> => {
    const document = documents.get(uri);
    if (document === undefined) return undefined;
    const offset = document.offsetAt(position);
    const all = occurrencesIn(await workspace.stacksAround(uri));
    const here = all.filter(
      ({ start, end, document: { source } }) =>
        uriOf(source.file) === uri && start <= offset && offset <= end,
    );
    const [first] = here;
    return first && { here: first, all, same: sameSymbol(here, all) };
  };
  connection.onDefinition(async (at) => {
    const names = await namesAt(at);
    return names && placesOf(names, 'declaration');
  });
  connection.onReferences(async ({ context, ...at }) => {
    const names = await namesAt(at);
    if (names === undefined) return undefined;
    return placesOf(names, context.includeDeclaration ? undefined : 'reference');
  });
  connection.onDocumentHighlight(async (at): Promise<DocumentHighlight[] | undefined> => {
    const names = await namesAt(at);
    return (
      names &&
      placesOf(names)
        .filter(({ uri }) => uri === at.textDocument.uri)
        .map(({ range }) => ({ range }))
    );
  });
  connection.onPrepareRename(async (at): Promise<Range | undefined> => {
    const names = await namesAt(at);
    return names && locationOf(names.here).range;
  });
  connection.onRenameRequest(async ({ newName, ...at }) => {
    const names = await namesAt(at);
    return names && renamed(names, newName);
  });
}

/** The name under the cursor, and all names of the stacks around it. */
interface Names {
  readonly here: Occurrence;
  readonly all: readonly Occurrence[];
  /** Those that name the same. */
  readonly same: readonly Occurrence[];
}

/**
 * The occurrences that must have one name. In a file that several stacks include, one place names a
 * declaration of each of them.
 */
function sameSymbol(
  here: readonly Occurrence[],
  all: readonly Occurrence[],
): readonly Occurrence[] {
  const placesOfTarget = new Map<string, string[]>();
  const targetsAt = new Map<string, string[]>();
  for (const each of all) {
    const [target, place] = [targetKey(each), placeKey(each)];
    placesOfTarget.set(target, [...(placesOfTarget.get(target) ?? []), place]);
    targetsAt.set(place, [...(targetsAt.get(place) ?? []), target]);
  }
  const targets = new Set(here.map(targetKey));
  // a set gives what is added while it is read, too
  for (const target of targets)
    for (const place of placesOfTarget.get(target) ?? [])
      for (const other of targetsAt.get(place) ?? []) targets.add(other);
  return all.filter((each) => targets.has(targetKey(each)));
}

function targetKey({ target: { stack, within, name } }: Occurrence): string {
  return JSON.stringify([stack, within, name]);
}

function placeKey({ document: { source }, start }: Occurrence): string {
  return JSON.stringify([source.file, start]);
}

/** Where a name is written; each place once. */
function placesOf({ same }: Names, role?: Occurrence['role']): Location[] {
  const places = new Map<string, Location>();
  for (const each of same)
    if (role === undefined || each.role === role) places.set(placeKey(each), locationOf(each));
  return [...places.values()];
}

function locationOf({ document: { source }, start, end }: Occurrence): Location {
  return { uri: uriOf(source.file), range: rangeOf(source.location(start, end)) };
}

/**
 * @throws an error of the protocol, which the editor shows, for a name that is not allowed or
 *   taken.
 */
function renamed(names: Names, newName: string): WorkspaceEdit {
  const { target } = names.here;
  if (isNamedByPattern(target) && !new RegExp(declaredName, 'u').test(newName))
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `"${newName}" is not a name here: ${declaredNameInWords}`,
    );
  const isTaken = names.same.some(({ target: own }) =>
    names.all.some((each) => isSameTarget(each.target, { ...own, name: newName })),
  );
  if (isTaken)
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `${target.within} has "${newName}" already: choose another name`,
    );
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const { uri, range } of placesOf(names))
    (changes[uri] ??= []).push({ range, newText: newName });
  return { changes };
}

/** Whether a name is a key of a section: those of nodes and secrets have other forms. */
function isNamedByPattern({ within }: NamedDeclaration): boolean {
  return !within.includes('.');
}
