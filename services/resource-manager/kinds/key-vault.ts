import { ArmError, badRequest, conflict, invalidContent } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { asObject, entryOf, readObjects, readNumber, omit, nonEmptyText } from '../json.js';
import type { ResourceKind, WriteContext } from '../kind.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from '../store.js';

const genericVault = genericKind('Microsoft.KeyVault/vaults');
/** 3 to 24 characters: a letter, then letters, digits and single hyphens, the last no hyphen. */
const vaultName = /^(?=.{3,24}$)[a-z](-?[a-z0-9])+$/i;
/** How many days a deleted vault can be recovered; the maximum is the default. */
const retentionDays = { minimum: 7, maximum: 90 };

/**
 * Key vaults. A deleted one keeps its name, and can be found at its location, until it is purged or
 * recovered (`createMode: recover`).
 */
export const keyVault: ResourceKind = {
  ...genericVault,
  checkName(name) {
    if (!vaultName.test(name))
      throw badRequest(
        'VaultNameNotValid',
        `The vault name '${name}' is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin with a letter, end with a letter or digit, and not contain consecutive hyphens.`,
      );
  },
  async prepareWrite(body, context) {
    const properties = asObject(body['properties']);
    checkRetention(properties?.['softDeleteRetentionInDays']);
    const prepared = await genericVault.prepareWrite(
      {
        ...body,
        ...(properties !== undefined && {
          properties: omit(properties, ['createMode', 'vaultUri']),
        }),
      },
      context,
    );
    await releaseName(context, properties?.['createMode'] === 'recover');
    return prepared;
  },
  presentProperties: async (resource, context) => ({
    enableSoftDelete: true,
    softDeleteRetentionInDays: retentionDays.maximum,
    publicNetworkAccess: 'Enabled',
    ...(await genericVault.presentProperties(resource, context)),
    vaultUri: context.platform.vaultUri(resource.name),
  }),
  async keepForRecovery(
    { id, name, location = '', tags, subscription, properties },
    { store, clock },
  ) {
    const now = clock.now();
    const days = properties['softDeleteRetentionInDays'];
    const retentionMs =
      24 * 3600 * 1000 * (typeof days === 'number' ? days : retentionDays.maximum);
    const deletedVaultId = `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/${location.toLowerCase().replaceAll(' ', '')}/deletedVaults/${name}`;
    await store.save({
      id: deletedVaultId,
      type: deletedVault.type,
      name,
      subscription,
      group: '',
      setByService: {},
      secrets: [],
      properties: {
        vaultId: id,
        location,
        tags: tags ?? {},
        deletionDate: now.toISOString(),
        scheduledPurgeDate: new Date(now.getTime() + retentionMs).toISOString(),
        ...(properties['enablePurgeProtection'] === true && { purgeProtectionEnabled: true }),
      },
      createdAt: now.toISOString(),
      changedAt: now.toISOString(),
    });
    await copyContents(
      store,
      { id, type: genericVault.type },
      { id: deletedVaultId, type: deletedVault.type, group: '' },
    );
  },
};

/** The last segments of the types that a vault contains, and that are recovered with it. */
const contentTypes = ['keys', 'secrets'];

/** Copies the keys and secrets of a vault to a deleted one, or back. */
async function copyContents(
  store: ResourceStore,
  from: Pick<StoredResource, 'id' | 'type'>,
  to: Pick<StoredResource, 'id' | 'type' | 'group'>,
): Promise<void> {
  for (const word of contentTypes)
    for (const content of await store.list({ parent: from.id, type: `${from.type}/${word}` }))
      await store.save(
        {
          ...content,
          id: `${to.id}/${word}/${content.name}`,
          type: `${to.type}/${word}`,
          group: to.group,
        },
        to.id,
      );
}

/**
 * Removes the deleted vault whose name a new one has; a recovery gets its keys and secrets.
 *
 * @throws ArmError 409 unless the new one recovers it, or its purge date has passed.
 */
async function releaseName(
  { path, store, clock }: WriteContext,
  isRecovery: boolean,
): Promise<void> {
  for (const vault of await store.list({
    subscription: path.subscription,
    type: deletedVault.type,
  })) {
    if (resourceKey(vault.name) !== resourceKey(path.name)) continue;
    const isPurged = Date.parse(purgeDateOf(vault)) <= clock.now().getTime();
    if (!isRecovery && !isPurged)
      throw conflict(
        'ConflictError',
        `A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault '${vault.name}'.`,
      );
    if (!isPurged) await copyContents(store, vault, { ...path, type: genericVault.type });
    await store.remove(vault.id);
  }
}

function purgeDateOf({ properties }: StoredResource): string {
  return String(properties['scheduledPurgeDate']);
}

/** @throws ArmError 400 for a number of days that the service does not offer. */
function checkRetention(value: unknown): void {
  const name = 'properties.softDeleteRetentionInDays';
  const days = readNumber(value, name) ?? retentionDays.maximum;
  const { minimum, maximum } = retentionDays;
  if (!Number.isInteger(days) || days < minimum || days > maximum)
    throw badRequest(
      'BadRequest',
      `Invalid ${name} ${days}: it must be an integer from ${minimum} to ${maximum}.`,
    );
}

/** A deleted vault until it is purged. */
export const deletedVault: ResourceKind = {
  type: 'Microsoft.KeyVault/locations/deletedVaults',
  apiVersions: 'any',
  isProxyResource: true,
  checkName: genericVault.checkName,
  prepareWrite() {
    throw badRequest('BadRequest', 'A deleted vault cannot be written: it can be read and purged.');
  },
  presentProperties: ({ properties }) => properties,
  expiryOf: purgeDateOf,
  actions: {
    async purge({ id, properties }, { store }) {
      if (properties['purgeProtectionEnabled'] === true)
        throw new ArmError(
          405,
          'MethodNotAllowed',
          "Operation 'DeletedVaultPurge' is not allowed: purge protection is enabled for the vault.",
        );
      await store.remove(id);
      return { id: id.replace('/deletedVaults/', '/operationResults/') };
    },
  },
  longRunningActions: ['purge'],
};

/** Access policies of a vault: adds, replaces or removes the listed policies in the vault. */
export const vaultAccessPolicy: ResourceKind = {
  ...genericKind('Microsoft.KeyVault/vaults/accessPolicies'),
  isProxyResource: true,
  async prepareWrite(body, { path, store }) {
    const change = entryOf(policyChanges, path.name.toLowerCase());
    if (change === undefined)
      throw invalidContent(
        `'${path.name}' is not a change of access policies: allowed are add, replace and remove.`,
      );
    const vault = (await store.find(path.parent ?? '')) as StoredResource;
    const policies = readObjects(
      asObject(body['properties'])?.['accessPolicies'],
      'properties.accessPolicies',
    );
    let accessPolicies: readonly Json[] = readObjects(
      vault.properties['accessPolicies'],
      'accessPolicies',
    );
    for (const policy of policies) accessPolicies = change(accessPolicies, policy);
    await store.save({ ...vault, properties: { ...vault.properties, accessPolicies } });
    return { properties: { accessPolicies }, setByService: {} };
  },
  presentProperties: ({ properties }) => properties,
};

/** Returns the vault's policies after a change by one listed policy. */
type PolicyChange = (existing: readonly Json[], policy: Json) => readonly Json[];

const withoutHolder: PolicyChange = (existing, policy) =>
  existing.filter((each) => policyHolder(each) !== policyHolder(policy));

const policyChanges: Readonly<Record<string, PolicyChange>> = {
  remove: withoutHolder,
  replace: (existing, policy) => [...withoutHolder(existing, policy), policy],
  add(existing, policy) {
    const previous = existing.find((each) => policyHolder(each) === policyHolder(policy));
    const [oldPermissions, newPermissions] = [previous, policy].map(
      (each) => asObject(each?.['permissions']) ?? {},
    ) as [Json, Json];
    const permissions = Object.fromEntries(
      [...Object.keys(oldPermissions), ...Object.keys(newPermissions)].map((name) => [
        name,
        union(oldPermissions[name], newPermissions[name]),
      ]),
    );
    return [...withoutHolder(existing, policy), { ...policy, permissions }];
  },
};

function union(a: unknown, b: unknown): unknown[] {
  return [...new Set([a, b].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [])))];
}

function policyHolder(policy: Json): string {
  return ['tenantId', 'objectId', 'applicationId']
    .map((name) => nonEmptyText(policy[name])?.toLowerCase() ?? '')
    .join('/');
}
