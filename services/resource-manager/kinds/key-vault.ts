import { badRequest, unreadable } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { objectOf, objectsOf, omit, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';
import { type Json, resourceKey, type StoredResource } from '../store.js';

const generic = genericKind('Microsoft.KeyVault/vaults');
const retentionDays = 90;

/**
 * Key vaults. A deleted one can be found and purged at its location; creating it again recovers it.
 */
export const keyVault: ResourceKind = {
  ...generic,
  async declare(body, context) {
    const { subscription, name } = context.path;
    for (const deleted of await context.store.list({ subscription, type: deletedVault.type }))
      if (resourceKey(deleted.name) === resourceKey(name)) await context.store.remove(deleted.id);
    const properties = objectOf(body['properties']);
    return generic.declare(
      {
        ...body,
        ...(properties !== undefined && {
          properties: omit(properties, ['createMode', 'vaultUri']),
        }),
      },
      context,
    );
  },
  present: async (resource, context) => ({
    enableSoftDelete: true,
    softDeleteRetentionInDays: retentionDays,
    publicNetworkAccess: 'Enabled',
    ...(await generic.present(resource, context)),
    vaultUri: context.hosting.vaultUri(resource.name),
  }),
  async beforeDelete({ id, name, location = '', tags, subscription }, { store, clock }) {
    const now = clock.now();
    const days = 24 * 3600 * 1000 * retentionDays;
    const deleted = `/subscriptions/${subscription}/providers/Microsoft.KeyVault/locations/${location.toLowerCase().replaceAll(' ', '')}/deletedVaults/${name}`;
    await store.save({
      id: deleted,
      type: deletedVault.type,
      name,
      subscription,
      group: '',
      decided: {},
      secrets: [],
      properties: {
        vaultId: id,
        location,
        tags: tags ?? {},
        deletionDate: now.toISOString(),
        scheduledPurgeDate: new Date(now.getTime() + days).toISOString(),
      },
      createdAt: now.toISOString(),
      changedAt: now.toISOString(),
    });
  },
};

/** A deleted vault that is not purged yet. */
export const deletedVault: ResourceKind = {
  type: 'Microsoft.KeyVault/locations/deletedVaults',
  apiVersions: 'any',
  child: true,
  checkName: generic.checkName,
  declare() {
    throw badRequest('BadRequest', 'A deleted vault is read and purged, not written.');
  },
  present: ({ properties }) => properties,
  actions: {
    async purge({ id }, { store }) {
      await store.remove(id);
      return { id: id.replace('/deletedVaults/', '/operationResults/') };
    },
  },
  acceptedActions: ['purge'],
};

/** Access policies of a vault: adds, replaces or removes the listed policies in the vault. */
export const vaultAccessPolicy: ResourceKind = {
  ...genericKind('Microsoft.KeyVault/vaults/accessPolicies'),
  child: true,
  async declare(body, { path, store }) {
    const change = changes[path.name.toLowerCase()];
    if (change === undefined)
      throw unreadable(
        `there is no '${path.name}' of access policies: allowed are add, replace and remove.`,
      );
    const vault = (await store.find(path.parent ?? '')) as StoredResource;
    const policies = objectsOf(
      objectOf(body['properties'])?.['accessPolicies'],
      'properties.accessPolicies',
    );
    const accessPolicies = policies.reduce<readonly Json[]>(
      change,
      objectsOf(vault.properties['accessPolicies'], 'accessPolicies'),
    );
    await store.save({ ...vault, properties: { ...vault.properties, accessPolicies } });
    return { properties: { accessPolicies }, decided: {} };
  },
  present: ({ properties }) => properties,
};

type Change = (present: readonly Json[], policy: Json) => readonly Json[];

const without: Change = (present, policy) =>
  present.filter((each) => holderOf(each) !== holderOf(policy));

const changes: Readonly<Record<string, Change>> = {
  remove: without,
  replace: (present, policy) => [...without(present, policy), policy],
  add(present, policy) {
    const previous = present.find((each) => holderOf(each) === holderOf(policy));
    const [old, added] = [previous, policy].map(
      (each) => objectOf(each?.['permissions']) ?? {},
    ) as [Json, Json];
    const permissions = Object.fromEntries(
      [...Object.keys(old), ...Object.keys(added)].map((name) => [
        name,
        union(old[name], added[name]),
      ]),
    );
    return [...without(present, policy), { ...policy, permissions }];
  },
};

function union(a: unknown, b: unknown): unknown[] {
  return [...new Set([a, b].flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [])))];
}

function holderOf(policy: Json): string {
  return ['tenantId', 'objectId', 'applicationId']
    .map((name) => nonEmptyText(policy[name])?.toLowerCase() ?? '')
    .join('/');
}
