import { isObject } from '../../../core/values/is-object.js';
import { type EnteredWorkspace, related } from '../access/roles.js';
import { isUuid, type JsonObject } from '../http/body.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problem.js';
import { parsePart } from './part-content.js';
import type { StoredPart } from './definition.js';

/**
 * What makes a query database: its type and the eventhouse it belongs to, from the creation payload or from `DatabaseProperties.json`.
 *
 * @throws Problem 400 when either is missing or wrong, 404 when the workspace has no such eventhouse.
 */
export async function readKqlDatabase(
  call: Call,
  { workspace }: EnteredWorkspace,
  payload: JsonObject | undefined,
  parts: readonly StoredPart[] | undefined,
): Promise<{ parentId: string; settings: JsonObject }> {
  const given = payload ?? propertiesIn(parts);
  if (given === undefined)
    throw new Problem('InvalidInput', 'A KQLDatabase needs a creationPayload or a definition with DatabaseProperties.json.');
  const { databaseType = 'ReadWrite', parentEventhouseItemId } = given;
  if (databaseType !== 'ReadWrite' && databaseType !== 'Shortcut')
    throw new Problem('InvalidInput', `databaseType ${JSON.stringify(databaseType)} is not allowed: it is ReadWrite or Shortcut.`);
  if (!isUuid(parentEventhouseItemId)) throw new Problem('InvalidInput', 'parentEventhouseItemId must be the UUID of an eventhouse.');
  const parentId = parentEventhouseItemId.toLowerCase();
  const parent = await call.runtime.db
    .selectFrom('items_item')
    .select('id')
    .where('id', '=', parentId)
    .where('workspace_id', '=', workspace.id)
    .where('type', '=', 'Eventhouse')
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (parent) return { parentId, settings: { databaseType } };
  throw new Problem('ItemNotFound', `The eventhouse ${parentId} could not be found in the workspace.`, related(parentId, 'Eventhouse'));
}

function propertiesIn(parts: readonly StoredPart[] | undefined): JsonObject | undefined {
  const part = parts?.find(({ path }) => path === 'DatabaseProperties.json');
  if (part === undefined) return undefined;
  const document = parsePart(part.path, part.payload);
  return isObject(document) ? document : undefined;
}
