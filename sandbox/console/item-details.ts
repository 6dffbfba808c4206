import { drawPicture } from '../../core/graph/page-picture.js';
import { eventstreamGraph } from '../../kinds/eventstream/definition/graph.js';
import type { Database } from '../../services/common/database.js';
import { readDefinitions } from '../../services/items/index.js';
import { itemTypes } from '../../services/items/item/item-type.js';
import type { RequestJson } from './service-requests.js';
import { readItems, type ItemView } from './console-data.js';

/** A part of an item's definition, decoded. */
export interface DefinitionPart {
  readonly path: string;
  readonly text: string;
}

/** What an item consists of, and what is connected to it. */
export interface ItemDetails {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly parts: readonly DefinitionPart[];
  /** The flow of events of an eventstream, as a picture. */
  readonly flow?: string;
  /** The ids of items that it names. */
  readonly uses: readonly string[];
  /** The ids of items that name it. */
  readonly usedBy: readonly string[];
}

/**
 * Reads one item of the workspaces; undefined if there is none of that id. Definitions come from
 * the database: their API may take its time, and counts its calls.
 */
export async function readItem(
  id: string,
  ask: RequestJson,
  database: Database,
): Promise<ItemDetails | undefined> {
  const [items, definitions] = await Promise.all([readItems(ask), readDefinitions(database)]);
  const item = items.find((each) => each.id === id);
  if (item === undefined) return undefined;
  const texts = new Map(
    [...definitions].map(([each, parts]) => [
      each,
      parts.map(({ payload }) => Buffer.from(payload, 'base64').toString()).join('\n'),
    ]),
  );
  const parts = (definitions.get(id) ?? []).map(({ path, payload }) => ({
    path,
    text: readable(payload),
  }));
  const others = items.map((each) => each.id).filter((each) => each !== id);
  return {
    properties: await readProperties(item, ask),
    parts,
    ...flowOf(item, parts),
    uses: others.filter((each) => texts.get(id)?.includes(each)),
    usedBy: others.filter((each) => texts.get(each)?.includes(id)),
  };
}

async function readProperties(
  { id, type, workspaceId }: ItemView,
  ask: RequestJson,
): Promise<ItemDetails['properties']> {
  const path = `/v1/workspaces/${workspaceId}/${itemTypes.get(type)?.collection ?? 'items'}/${id}`;
  return (await ask<Partial<ItemDetails>>('items', path))?.properties ?? {};
}

function readable(payload: string): string {
  const text = Buffer.from(payload, 'base64').toString();
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text; // a query, a notebook: as it is
  }
}

function flowOf(
  { type, name }: ItemView,
  parts: readonly DefinitionPart[],
): Pick<ItemDetails, 'flow'> {
  const part = parts.find(({ path }) => path === itemTypes.get(type)?.mainPart);
  if (part === undefined || type !== 'Eventstream') return {};
  const graph = eventstreamGraph(JSON.parse(part.text), name);
  return graph.nodes.length === 0 ? {} : { flow: drawPicture(graph) };
}
