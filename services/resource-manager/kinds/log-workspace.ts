import { randomBytes, randomUUID } from 'node:crypto';
import { containerAppEnvironment } from '../../../kinds/container-app/environment.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { apiVersions } from '../api-versions.js';
import { badRequest } from '../errors.js';
import { readNumber, asObject, nonEmptyText, withoutNulls } from '../json.js';
import type { ResourceKind } from '../kind.js';

const { retentionInDays } = containerAppEnvironment.properties.logs.properties;

/** Log analytics workspaces, to which an environment's apps send their logs. */
export const logWorkspace: ResourceKind = {
  type: 'Microsoft.OperationalInsights/workspaces',
  apiVersions: apiVersions.logWorkspaces,
  checkName(name) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]{2,61}[A-Za-z0-9]$/.test(name))
      throw badRequest(
        'InvalidResourceName',
        `The workspace name '${name}' is invalid: 4 to 63 letters, digits and inner hyphens.`,
      );
  },
  prepareWrite(body, { previous }) {
    const properties = withoutNulls(asObject(body['properties']) ?? {});
    const retention = readNumber(properties['retentionInDays'], 'properties.retentionInDays') ?? 0;
    const mistake = mistakeIn(retentionInDays, retention);
    if (mistake !== undefined)
      throw badRequest(
        'InvalidParameter',
        `Invalid properties.retentionInDays: ${mistake.message}.`,
      );
    return {
      properties: {
        ...properties,
        retentionInDays: retention === 0 ? retentionInDays.minimum : retention,
      },
      setByService: previous?.setByService ?? { customerId: randomUUID() },
      secrets:
        previous?.secrets ??
        ['primarySharedKey', 'secondarySharedKey'].map((name) => ({
          name,
          value: randomBytes(64).toString('base64'),
        })),
    };
  },
  presentProperties: ({ properties, setByService, createdAt, changedAt }) => ({
    publicNetworkAccessForIngestion: 'Enabled',
    publicNetworkAccessForQuery: 'Enabled',
    ...properties,
    features: {
      legacy: 0,
      searchVersion: 1,
      enableLogAccessUsingOnlyResourcePermissions: true,
      ...asObject(properties['features']),
    },
    workspaceCapping: {
      dailyQuotaGb: -1,
      dataIngestionStatus: 'RespectQuota',
      ...asObject(properties['workspaceCapping']),
    },
    sku: {
      ...asObject(properties['sku']),
      name: nonEmptyText(asObject(properties['sku'])?.['name']) ?? 'PerGB2018',
      lastSkuUpdate: createdAt,
    },
    customerId: setByService['customerId'],
    provisioningState: 'Succeeded',
    createdDate: createdAt,
    modifiedDate: changedAt,
  }),
  actions: {
    sharedkeys: ({ secrets }) =>
      Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
  },
  async keepForRecovery(resource, { store, platform, force, clock }) {
    if (force) return;
    const { id, name, type, location, tags } = resource;
    const properties = await logWorkspace.presentProperties(resource, { store, platform });
    await store.saveDeletedWorkspace(
      resource,
      { id, name, type, location, tags, properties },
      clock.now().toISOString(),
    );
  },
};
