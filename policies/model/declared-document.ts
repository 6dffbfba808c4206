import type { ReadResult } from '../../core/source/read-source.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { parseDocument } from '../../kinds/eventstream/definition/parse-document.js';
import { nodeLists } from '../../kinds/eventstream/nodes/index.js';
import type { EventstreamProps } from '../../kinds/eventstream/eventstream.js';
import {
  eventstreamDocument,
  type EventstreamDocument,
} from '../../kinds/eventstream/declared-graph.js';

/** The placeholder of an id that only the cloud knows, in the form of a Terraform reference. */
const unknownId = '${id}';

/**
 * The document of an eventstream's inline definition, with placeholders for the ids of eventhouses.
 */
export function declaredDocument(
  { displayName, definition }: EventstreamProps,
  name?: string,
): EventstreamDocument {
  return eventstreamDocument(definition ?? {}, {
    displayName: String(displayName),
    ...omitUndefined({ name }),
    eventhouseIds: () => ({ workspaceId: unknownId, itemId: unknownId }),
  });
}

/** A document of a definition, with its place in the declaration. */
export interface DefinitionDocument {
  /** Nodes in castellan.yaml, a file that it refers to, or one of the base64 `parts`. */
  readonly form: 'inline' | 'file' | 'part';
  /** The file or part that contains it; empty for an inline one. */
  readonly fileOrPart: string;
  /** Relative to the declaration: the path of the document, or of a path in it. */
  readonly pathOf: (innerPath: ConfigPath) => ConfigPath;
  /** The parsed JSON; for an inline definition, what the service would get. */
  readonly document: unknown;
}

/** Whether a definition has inline nodes, with or without a file or parts beside them. */
export function isInline(definition: EventstreamProps['definition']): boolean {
  return nodeLists.some((list) => definition?.[list] !== undefined);
}

/**
 * All readable documents of an eventstream's definition; other rules report the unreadable ones.
 */
export function documentsOf(
  value: EventstreamProps,
  name: string,
  readFile?: (file: string) => ReadResult,
): readonly DefinitionDocument[] {
  const { definition } = value;
  if (definition === undefined || definition === null || typeof definition !== 'object') return [];
  const documents: DefinitionDocument[] = [];
  if (isInline(definition))
    documents.push({
      form: 'inline',
      fileOrPart: '',
      pathOf: (innerPath) => ['definition', ...innerPath],
      document: declaredDocument(value, name),
    });
  if (typeof definition.file === 'string' && definition.file !== '') {
    const readResult = readFile?.(definition.file);
    const text =
      readResult === undefined || 'problem' in readResult ? undefined : readResult.source.text;
    // a path below the file, so that two mistakes in one file are two findings
    addParsed(
      documents,
      {
        form: 'file',
        fileOrPart: definition.file,
        pathOf: (innerPath) => ['definition', 'file', ...innerPath],
      },
      text,
    );
  }
  if (Array.isArray(definition.parts))
    (definition.parts as readonly (DeclaredPart | null)[]).forEach((part, index) => {
      if (typeof part?.path !== 'string' || typeof part.payload !== 'string') return;
      const pathOf = (): ConfigPath => ['definition', 'parts', index, 'payload'];
      addParsed(
        documents,
        { form: 'part', fileOrPart: part.path, pathOf },
        Buffer.from(part.payload, 'base64').toString('utf8'),
      );
    });
  return documents;
}

interface DeclaredPart {
  /** The name of the file in the service's definition: `eventstream.json`. */
  readonly path: string;
  /** The file's content in base64. */
  readonly payload: string;
}

function addParsed(
  documents: DefinitionDocument[],
  place: Omit<DefinitionDocument, 'document'>,
  text: string | undefined,
): void {
  if (text === undefined) return;
  try {
    documents.push({ ...place, document: parseDocument(text) });
  } catch {
    return; // eventstream-definition-file and item-definition-parts report that it is not JSON
  }
}
