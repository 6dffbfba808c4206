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
import { declaredName } from '../../kinds/schema/shapes.js';
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
    const here = all.find(
      ({ start, end, document: { source } }) =>
        uriOf(source.file) === uri && start <= offset && offset <= end,
    );
    return here && { here, all };
  };
  connection.onDefinition(async (at) => {
    const names = await namesAt(at);
    return names && sameAs(names, 'declaration').map(locationOf);
  });
  connection.onReferences(async ({ context, ...at }) => {
    const names = await namesAt(at);
    if (names === undefined) return undefined;
    return sameAs(names, context.includeDeclaration ? undefined : 'reference').map(locationOf);
  });
  connection.onDocumentHighlight(async (at): Promise<DocumentHighlight[] | undefined> => {
    const names = await namesAt(at);
    return names?.all
      .filter(({ target }) => isSameTarget(target, names.here.target))
      .map(locationOf)
      .filter(({ uri }) => uri === at.textDocument.uri)
      .map(({ range }) => ({ range }));
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
}

function sameAs({ here, all }: Names, role?: Occurrence['role']): readonly Occurrence[] {
  return all.filter(
    (each) => isSameTarget(each.target, here.target) && (role === undefined || each.role === role),
  );
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
      `"${newName}" is not a name here: it must begin with a letter and have only letters, digits, hyphens and underscores, at most 63`,
    );
  if (names.all.some((each) => isSameTarget(each.target, { ...target, name: newName })))
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `${target.within} has "${newName}" already: choose another name`,
    );
  const changes: NonNullable<WorkspaceEdit['changes']> = {};
  for (const { uri, range } of sameAs(names).map(locationOf))
    (changes[uri] ??= []).push({ range, newText: newName });
  return { changes };
}

/** Whether a name is a key of a section: those of nodes and secrets have other forms. */
function isNamedByPattern({ within }: NamedDeclaration): boolean {
  return !within.includes('.');
}
