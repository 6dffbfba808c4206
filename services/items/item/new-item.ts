import { isObject } from '../../../core/values/is-object.js';
import { randomUUID } from 'node:crypto';
import { itemProperties } from '../../../kinds/item/item.js';
import { type WorkspaceAccess, relatedResourceOption } from '../access/workspace-access.js';
import { BodyChecks } from '../http/body-checks.js';
import { isGuid } from '../../../core/values/guid.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problem.js';
import type { ItemsReader } from '../store/tables.js';
import { assertFolder } from '../workspace/folder-tree.js';
import { readCreationPayload } from './creation-payload.js';
import { parsePart, readDefinition, type StoredPart } from './definition.js';
import type { ItemType } from './item-type.js';
import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';

/** A JSON object as it was sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A checked item, except for rules that only the insertion can check (name taken, limit reached).
 */
export interface NewItem {
  readonly id: string;
  readonly type: ItemType;
  readonly workspaceId: string;
  readonly displayName: string;
  readonly description: string;
  /** Null at the top level of the workspace. */
  readonly folderId: string | null;
  /** The eventhouse of a query database; null for other items. */
  readonly parentId: string | null;
  /** The sensitivity label. */
  readonly labelId: string | null;
  /** The principal as JSON, in the form of `defaultIdentity` in answers. */
  readonly creator: string;
  /** The creation payload; of a query database, its type. */
  readonly settings: JsonObject;
  /** That of `.platform`, or a new one. */
  readonly logicalId: string;
  /** Undefined if no definition was sent. */
  readonly parts: readonly StoredPart[] | undefined;
}

/**
 * Parses and checks the body of a creation (items interface, "Create eventhouse", "Create
 * eventstream").
 *
 * @throws Problem with the code of the violated rule.
 */
export async function readNewItem(
  call: Call,
  access: WorkspaceAccess,
  type: ItemType,
  body: JsonObject,
): Promise<NewItem> {
  if (body['type'] !== undefined && body['type'] !== null && body['type'] !== type.name)
    throw new Problem(
      'InvalidItemType',
      `The item type ${JSON.stringify(body['type'])} does not fit: a ${type.name} is created here.`,
    );
  const checks = new BodyChecks('InvalidInput');
  const displayName = checkDisplayName(checks, body['displayName'], type);
  const description = checks.value('description', body['description'], itemProperties.description);
  const folderId = checks.uuid('folderId', body['folderId']);
  const payload = readCreationPayload(checks, body['creationPayload'], type.name);
  const resolveLabel = createLabelResolver(checks, body['sensitivityLabelSettings']);
  checks.throwIfInvalid();
  if (payload !== undefined && body['definition'] !== undefined && body['definition'] !== null)
    throw new Problem(
      'RequestWithDefinitionAndCreationPayloadNotSupported',
      'definition and creationPayload can not be sent together: leave one of them out.',
    );
  const definition = readDefinition(body['definition'], type);
  const database =
    type.name === 'KQLDatabase'
      ? await readKqlDatabase(call, access, payload, definition?.parts)
      : undefined;
  if (folderId !== undefined) await assertFolder(call.runtime.db, access.workspace.id, folderId);
  const labelId = await resolveLabel(call);
  if (type.needsCapacity) await assertActiveCapacity(call, access);
  return {
    id: randomUUID(),
    type,
    workspaceId: access.workspace.id,
    displayName: displayName ?? '',
    description: description ?? definition?.platform?.description ?? '',
    folderId: folderId ?? null,
    parentId: database?.parentId ?? null,
    labelId,
    creator: JSON.stringify(await creatorPrincipal(call)),
    settings: database?.settings ?? payload ?? {},
    logicalId: definition?.platform?.logicalId ?? randomUUID(),
    parts: definition?.parts,
  };
}

/**
 * Checks a display name by the naming rules of the item's type.
 *
 * @param property its place in messages.
 */
export function checkDisplayName(
  checks: BodyChecks,
  value: unknown,
  type: ItemType,
  property = 'displayName',
): string | undefined {
  if (value === undefined || value === null) return checks.addMistake(`${property} is required.`);
  if (typeof value !== 'string') return checks.addMistake(`${property} must be a string.`);
  if (value.trim() === '') return checks.addMistake(`${property} must not be empty.`);
  if (Buffer.byteLength(value) > type.maxNameBytes)
    return checks.addMistake(
      `${property} has ${Buffer.byteLength(value)} bytes; at most ${type.maxNameBytes} are allowed.`,
    );
  if (type.namePattern !== undefined && !type.namePattern.test(value)) {
    const allowed = 'alphanumeric characters, underscores, periods and hyphens';
    return checks.addMistake(
      `${property} "${value}" has characters that an item of type ${type.name} can't have; allowed are ${allowed}.`,
    );
  }
  if (/[\u0000-\u001f\u007f]/.test(value))
    return checks.addMistake(`${property} must not have control characters.`);
  return value;
}

async function assertActiveCapacity(call: Call, { workspace }: WorkspaceAccess): Promise<void> {
  if (workspace.capacity_id === null && call.runtime.sharedCapacity) return;
  if (workspace.capacity_id === null)
    throw new Problem(
      'WorkspaceHasNoCapacityAssigned',
      'The workspace is not on a capacity; an eventhouse needs one.',
    );
  const query = call.runtime.db
    .selectFrom('items_capacity')
    .select('state')
    .where('id', '=', workspace.capacity_id);
  const capacity = await query.executeTakeFirst();
  if (capacity?.state === 'Active') return;
  throw new Problem(
    'CapacityNotInActiveState',
    `The capacity ${workspace.capacity_id} of the workspace is not active.`,
  );
}

/** The caller as a principal (items interface, "Principal"), for an item's `defaultIdentity`. */
async function creatorPrincipal(call: Call): Promise<Record<string, unknown>> {
  const { caller, runtime } = call;
  if (caller.kind === 'unrestricted') {
    const id = '00000000-0000-0000-0000-000000000000';
    return {
      id,
      displayName: 'Anyone',
      type: 'User',
      userDetails: { userPrincipalName: 'anyone@localhost' },
    };
  }
  const id = caller.objectId.toLowerCase();
  const principal = await runtime.db
    .selectFrom('items_principal')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const displayName = principal?.display_name ?? caller.name ?? id;
  if (caller.kind === 'application') {
    const appId = caller.applicationId ?? principal?.detail ?? '';
    return {
      id,
      displayName,
      type: 'ServicePrincipal',
      servicePrincipalDetails: { [inDialect(dialectWords.principalAppId, runtime.dialect)]: appId },
    };
  }
  const userPrincipalName =
    principal?.detail ?? (caller.name?.includes('@') === true ? caller.name : '');
  return { id, displayName, type: 'User', userDetails: { userPrincipalName } };
}

/**
 * Parses `sensitivityLabelSettings`, and returns a function that looks up the label after the rest
 * of the body has been checked.
 *
 * @returns a function that returns the label's id, or null if there is none to apply: an unknown
 *   label fails the creation with `ApplyOrFail` (the default), and is skipped with `Ignore`.
 */
function createLabelResolver(
  checks: BodyChecks,
  value: unknown,
): (call: Call) => Promise<string | null> {
  const none = (): Promise<null> => Promise.resolve(null);
  if (value === undefined || value === null) return none;
  if (!isObject(value)) {
    checks.addMistake('sensitivityLabelSettings must be an object.');
    return none;
  }
  const labelId = checks.uuid('sensitivityLabelSettings.labelId', value['labelId']);
  if (value['labelId'] === undefined || value['labelId'] === null)
    checks.addMistake('sensitivityLabelSettings.labelId is required.');
  const strategy = value['sensitivityLabelApplyStrategy'] ?? 'ApplyOrFail';
  checks.value(
    'sensitivityLabelApplyStrategy',
    strategy,
    itemProperties.sensitivityLabelSettings.properties.sensitivityLabelApplyStrategy,
  );
  return async (call) => {
    const labels = call.runtime.db.selectFrom('items_label').select('id');
    const label = await labels.where('id', '=', labelId ?? '').executeTakeFirst();
    if (label) return label.id;
    if (strategy === 'Ignore') return null;
    const reason = `The sensitivity label ${labelId ?? ''} can't be applied: there is none with this id.`;
    throw new Problem(
      'InvalidParameter',
      reason,
      relatedResourceOption(labelId ?? '', 'SensitivityLabel'),
    );
  };
}

/**
 * The type and eventhouse of a query database, from the creation payload or from
 * `DatabaseProperties.json`.
 *
 * @throws Problem 400 when either is missing or wrong, 404 when the workspace does not have the
 *   eventhouse.
 */
export async function readKqlDatabase(
  call: Call,
  { workspace }: WorkspaceAccess,
  payload: JsonObject | undefined,
  parts: readonly StoredPart[] | undefined,
): Promise<{ parentId: string; settings: JsonObject }> {
  const properties = payload ?? databaseProperties(parts);
  if (properties === undefined)
    throw new Problem(
      'InvalidInput',
      'A KQLDatabase needs a creationPayload or a definition with DatabaseProperties.json.',
    );
  const { databaseType = 'ReadWrite', parentEventhouseItemId } = properties;
  if (databaseType !== 'ReadWrite' && databaseType !== 'Shortcut')
    throw new Problem(
      'InvalidInput',
      `databaseType ${JSON.stringify(databaseType)} is not allowed: it is ReadWrite or Shortcut.`,
    );
  if (!isGuid(parentEventhouseItemId))
    throw new Problem('InvalidInput', 'parentEventhouseItemId must be the UUID of an eventhouse.');
  const parentId = parentEventhouseItemId.toLowerCase();
  await assertEventhouse(call.runtime.db, workspace.id, parentId);
  return { parentId, settings: { databaseType } };
}

/** @throws Problem 404 when the workspace does not have the eventhouse */
export async function assertEventhouse(
  db: ItemsReader,
  workspaceId: string,
  id: string,
): Promise<void> {
  const key = { id, workspace_id: workspaceId, type: 'Eventhouse', state: 'active' } as const;
  const query = db
    .selectFrom('items_item')
    .select('id')
    .where((row) => row.and(key));
  if (await query.executeTakeFirst()) return;
  throw new Problem(
    'ItemNotFound',
    `The eventhouse ${id} could not be found in the workspace.`,
    relatedResourceOption(id, 'Eventhouse'),
  );
}

function databaseProperties(parts: readonly StoredPart[] | undefined): JsonObject | undefined {
  const part = parts?.find(({ path }) => path === 'DatabaseProperties.json');
  if (part === undefined) return undefined;
  const document = parsePart(part.path, part.payload);
  return isObject(document) ? document : undefined;
}
