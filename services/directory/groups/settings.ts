import { isObject } from '../../../core/values/is-object.js';
import { randomUUID } from 'node:crypto';
import { permit } from '../authorization/access.js';
import { groupWriterRoles } from '../authorization/directory-roles.js';
import { badRequest, DirectoryError, insufficientPrivileges } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import { findGroup } from './group-access.js';
import {
  type SettingTemplate,
  type SettingTemplateValue,
  settingTemplates,
} from '../../../kinds/group/setting-templates.js';
import { isGuid } from '../../../core/values/guid.js';
import { isUnified } from './group-kinds.js';
import { invalidValue } from './group-rules.js';

const collection = 'group-setting';
const settingReadAccess = permit([
  'Directory.Read.All',
  'Directory.ReadWrite.All',
  'GroupSettings.Read.All',
  'GroupSettings.ReadWrite.All',
]);
const settingWriteAccess = permit(['Directory.ReadWrite.All', 'GroupSettings.ReadWrite.All'], {
  roles: groupWriterRoles,
});

/**
 * Adds the operations of settings of the tenant and of groups, and of the templates of settings.
 */
export function addSettingRoutes(router: Router): void {
  addRecordOperations(router, {
    path: ['/groupSettingTemplates', '/directorySettingTemplates'],
    read: settingReadAccess,
    list: () =>
      settingTemplates.map(({ id, displayName, description, values }) => ({
        id,
        body: { deletedDateTime: null, displayName, description, values },
      })),
  });
  for (const path of ['/groupSettings', '/settings', '/groups/{id}/settings'])
    addRecordOperations(router, {
      path,
      collection,
      context: 'groupSettings',
      read: settingReadAccess,
      write: settingWriteAccess,
      findParent: async (request) => (path.includes('{id}') ? findGroup(request) : { id: '' }),
      create: ({ directory }, values, parent) => createSetting(directory, values, parent.id),
      change: ({ directory }, setting, values, parent) =>
        changeSetting(directory, setting, values, parent.id),
      allowRemove: true,
    });
}

/** The value of a tenant setting; undefined if no setting of the template exists. */
export function tenantSetting(
  directory: Directory,
  templateName: string,
  name: string,
): Promise<string | undefined> {
  return groupSetting(directory, '', templateName, name);
}

/** The value of a group setting; undefined if the group has no setting of the template. */
async function groupSetting(
  directory: Directory,
  parentId: string,
  templateName: string,
  name: string,
): Promise<string | undefined> {
  const templateId = settingTemplates.find((each) => each.displayName === templateName)?.id;
  const stored = (await directory.records.list(collection, parentId)).find(
    (record) => record.body['templateId'] === templateId,
  );
  const values = (stored?.body['values'] ?? []) as readonly { name: string; value: string }[];
  return values.find((value) => value.name === name)?.value;
}

/** Stores a new setting. @param parentId the id of the group, or empty for the tenant. */
async function createSetting(
  { objects, records }: Directory,
  input: Body,
  parentId: string,
): Promise<StoredRecord> {
  const template = settingTemplates.find(
    (each) => each.id === String(input['templateId']).toLowerCase(),
  );
  if (!template)
    throw badRequest(
      `The setting template '${String(input['templateId'])}' does not exist.`,
      'templateId',
    );
  const { id: templateId, displayName, scope } = template;
  if (scope !== (parentId === '' ? 'tenant' : 'group')) {
    const whose = scope === 'group' ? 'single groups' : 'the tenant';
    throw badRequest(`The template ${displayName} is for settings of ${whose} only.`, 'templateId');
  }
  const group = await objects.getOfType('group', parentId);
  const kind = group && (isUnified(group.body) ? 'Unified' : 'Security');
  if (kind !== undefined && !displayName.startsWith(`Group.${kind}`))
    throw badRequest(
      `The template ${displayName} is for another kind of group: this is a ${kind.toLowerCase()} one.`,
      'templateId',
    );
  const values = parseSettingValues(template, input['values'], 'all');
  if (
    (await records.list(collection, parentId)).some(
      (record) => record.body['templateId'] === templateId,
    )
  ) {
    const message = `A conflicting object exists: there is a setting of the template ${displayName} already.`;
    throw new DirectoryError(409, 'Request_Conflict', message);
  }
  return records.put(collection, parentId, randomUUID(), { displayName, templateId, values });
}

/**
 * Replaces the values of a setting as a whole: those that are not given return to the template's
 * defaults.
 */
async function changeSetting(
  { records }: Directory,
  { id, body }: StoredRecord,
  changes: Body,
  parentId: string,
): Promise<void> {
  // Settings are stored with the id of an existing template only.
  const template = settingTemplates.find(
    (each) => each.id === body['templateId'],
  ) as SettingTemplate;
  const givenValues = parseSettingValues(template, changes['values'], 'given');
  const values = template.values.map(
    ({ name, defaultValue }) =>
      givenValues.find((each) => each.name === name) ?? { name, value: defaultValue },
  );
  await records.put(collection, parentId, id, { ...body, values });
}

/**
 * Checks that values are strings of the template's types. A new setting needs `all` of them.
 *
 * @throws DirectoryError 400.
 */
function parseSettingValues(
  template: SettingTemplate,
  input: unknown,
  requiredValues: 'all' | 'given',
): { name: string; value: string }[] {
  if (!Array.isArray(input) || !input.every(isObject))
    throw badRequest('values must be a list of name and value.', 'values');
  const values = (input as { name?: unknown; value?: unknown }[]).map(({ name, value }) => {
    const templateValue = template.values.find((each) => each.name === name);
    if (!templateValue)
      throw badRequest(
        `The template ${template.displayName} has no setting '${String(name)}'.`,
        'values',
      );
    if (typeof value !== 'string' || !isOfType(value, templateValue.type))
      throw badRequest(
        `The value of '${templateValue.name}' must be a string that contains a ${templateValue.type.slice('System.'.length)}.`,
        'values',
      );
    return { name: templateValue.name, value };
  });
  if (new Set(values.map((value) => value.name)).size !== values.length)
    throw badRequest('A setting is given twice.', 'values');
  const missing =
    requiredValues === 'all'
      ? template.values.find((each) => !values.some((value) => value.name === each.name))
      : undefined;
  if (missing)
    throw badRequest(
      `A value for every setting of the template is needed; '${missing.name}' is missing.`,
      'values',
    );
  return values;
}

/** Whether a value is text of a type; an id may be empty. */
function isOfType(value: string, type: SettingTemplateValue['type']): boolean {
  if (type === 'System.Boolean') return /^(true|false)$/i.test(value);
  return type !== 'System.Guid' || value === '' || isGuid(value);
}

/**
 * A classification must be in the list of the tenant's setting, if there is one.
 *
 * @throws DirectoryError 400.
 */
export async function checkClassification(directory: Directory, values: Body): Promise<void> {
  const value = values['classification'];
  if (typeof value !== 'string') return;
  const list = ((await tenantSetting(directory, 'Group.Unified', 'ClassificationList')) ?? '')
    .split(',')
    .map((each) => each.trim());
  const allowed = list.filter(Boolean);
  if (allowed.length > 0 && !allowed.includes(value))
    throw invalidValue('classification', `allowed are ${allowed.join(', ')}`);
}

/** The default classification of unified groups. */
export async function defaultClassification(directory: Directory, group: Body): Promise<Body> {
  if (!isUnified(group) || (group['classification'] ?? null) !== null) return {};
  const value = await tenantSetting(directory, 'Group.Unified', 'DefaultClassification');
  return value ? { classification: value } : {};
}

/**
 * Users without a role can create groups, unless the tenant's setting forbids it; members of one
 * configured group still can.
 *
 * @throws DirectoryError 403.
 */
export async function requireCreationAllowed(
  directory: Directory,
  group: Body,
  creator: StoredObject | undefined,
): Promise<void> {
  const template = isUnified(group) ? 'Group.Unified' : 'Group.Security';
  if ((await tenantSetting(directory, template, 'EnableGroupCreation'))?.toLowerCase() !== 'false')
    return;
  const allowedId = await tenantSetting(directory, 'Group.Unified', 'GroupCreationAllowedGroupId');
  const allowedGroup = allowedId
    ? await directory.objects.getOfType('group', allowedId)
    : undefined;
  if (allowedGroup && creator) {
    const { links } = directory;
    if (await links.isTransitiveMember(creator, allowedGroup)) return;
  }
  throw insufficientPrivileges(
    "the tenant's settings don't let people without a role create groups",
  );
}

/**
 * Guests can be added, unless a setting of the group or of the tenant forbids it.
 *
 * @throws DirectoryError 400.
 */
export async function checkGuestAllowed(
  directory: Directory,
  group: StoredObject,
  member: StoredObject,
): Promise<void> {
  if (!isGuest(member)) return;
  const template = isUnified(group.body) ? 'Group.Unified.Guest' : 'Group.Security.Policies';
  const groupValue = await groupSetting(directory, group.id, template, 'AllowToAddGuests');
  const tenantValue = isUnified(group.body)
    ? await tenantSetting(directory, 'Group.Unified', 'AllowToAddGuests')
    : undefined;
  if ((groupValue ?? tenantValue)?.toLowerCase() === 'false')
    throw badRequest('The settings of the group do not allow guests to be added.', 'members');
}

/**
 * Guests can own unified groups, unless the tenant's setting forbids it.
 *
 * @throws DirectoryError 400.
 */
export async function checkGuestOwnerAllowed(
  directory: Directory,
  group: StoredObject,
  owner: StoredObject,
): Promise<void> {
  if (!isGuest(owner) || !isUnified(group.body)) return;
  const value = await tenantSetting(directory, 'Group.Unified', 'AllowGuestsToBeGroupOwner');
  if (value?.toLowerCase() === 'false')
    throw badRequest("The tenant's settings do not allow guests to own groups.", 'owners');
}

function isGuest({ type, body }: StoredObject): boolean {
  return type === 'user' && body['userType'] === 'Guest';
}
