import { drawPicture } from '../../core/graph/page-picture.js';
import { eventstreamGraph } from '../../kinds/eventstream/definition/graph.js';
import type { Database } from '../../services/common/database.js';
import { readItemDefinitions } from '../../services/items/index.js';
import { itemTypes } from '../../services/items/item/item-type.js';
import type { RequestJson } from './service-requests.js';
import { readItems, type ItemView } from './console-data.js';

/** A part of an item's definition, decoded. */
export interface DefinitionPart {
  /** Its name in the definition: `eventstream.json`. */
  readonly path: string;
  readonly text: string;
}

/** The properties and the definition of an item, and the items connected to it. */
export interface ItemDetails {
  /** As the GET of the item returns them; empty for a type that has none. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly parts: readonly DefinitionPart[];
  /** The flow of events of an eventstream, as a picture. */
  readonly flow?: string;
  /** The ids of items that its definition names. */
  readonly uses: readonly string[];
  /** The ids of items whose definitions name it. */
  readonly usedBy: readonly string[];
}

/**
 * Reads one item of the workspaces; undefined if there is none of that id. Definitions come from
 * the database, since their API is a long-running operation with a rate limit.
 */
export async function readItem(
  id: string,
  requestJson: RequestJson,
  database: Database,
): Promise<ItemDetails | undefined> {
  const [{ entries: items }, definitions] = await Promise.all([
    readItems(requestJson),
    readItemDefinitions(database),
  ]);
  const item = items.find((each) => each.id === id);
  if (item === undefined) return undefined;
  const definitionTexts = new Map(
    [...definitions].map(([each, parts]) => [
      each,
      parts.map(({ payload }) => Buffer.from(payload, 'base64').toString()).join('\n'),
    ]),
  );
  const parts = (definitions.get(id) ?? []).map(({ path, payload }) => ({
    path,
    text: decodePayload(payload),
  }));
  const otherIds = items.map((each) => each.id).filter((each) => each !== id);
  return {
    properties: await readProperties(item, requestJson),
    parts,
    ...flowOf(item, parts),
    uses: otherIds.filter((each) => definitionTexts.get(id)?.includes(each)),
    usedBy: otherIds.filter((each) => definitionTexts.get(each)?.includes(id)),
  };
}

async function readProperties(
  { id, type, workspaceId }: ItemView,
  requestJson: RequestJson,
): Promise<ItemDetails['properties']> {
  const path = `/v1/workspaces/${workspaceId}/${itemTypes.get(type)?.collection ?? 'items'}/${id}`;
  return (await requestJson<Partial<ItemDetails>>('items', path))?.properties ?? {};
}

/** The text of a definition part; JSON is indented. */
function decodePayload(payload: string): string {
  const text = Buffer.from(payload, 'base64').toString();
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text; // a query, a notebook: as it is
  }
}

/** The picture of an eventstream's definition; other items have none. */
function flowOf(
  { type, name }: ItemView,
  parts: readonly DefinitionPart[],
): Pick<ItemDetails, 'flow'> {
  const part = parts.find(({ path }) => path === itemTypes.get(type)?.mainPart);
  if (part === undefined || type !== 'Eventstream') return {};
  const graph = eventstreamGraph(JSON.parse(part.text), name);
  return graph.nodes.length === 0 ? {} : { flow: drawPicture(graph) };
}
