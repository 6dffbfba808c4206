import { isGeneratedKey } from './list-actions.js';
import type { Json, StoredResource } from '../store.js';

/** Content that a resource has from its creation until it is first written. */
type DefaultContent = (
  parent: StoredResource,
) => Pick<StoredResource, 'properties' | 'otherMembers'> & Partial<Pick<StoredResource, 'secrets'>>;

const empty: DefaultContent = () => ({ properties: {} });
const enabled: DefaultContent = () => ({ properties: { state: 'Enabled' } });
const disabled: DefaultContent = () => ({ properties: { state: 'Disabled' } });
/** The authorization rule with all rights in a namespace; it has the namespace's keys. */
const rootRule: DefaultContent = ({ secrets }) => ({
  properties: { rights: ['Listen', 'Manage', 'Send'] },
  secrets: secrets.filter(isGeneratedKey),
});
/** The network rules of a namespace, which allow everyone until they are written. */
const openNetwork: DefaultContent = () => ({
  properties: {
    publicNetworkAccess: 'Enabled',
    defaultAction: 'Allow',
    trustedServiceAccessEnabled: false,
    ipRules: [],
    virtualNetworkRules: [],
  },
});
/** The times of a zone's SOA record, in seconds. */
const soaTimes = { expireTime: 2_419_200, refreshTime: 3600, retryTime: 300, serialNumber: 1 };

/** The contents by type and name, in lower case. */
const defaultContents: Readonly<Record<string, DefaultContent>> = {
  ...Object.fromEntries(
    ['blob', 'file', 'queue', 'table'].map((each) => [
      `microsoft.storage/storageaccounts/${each}services/default`,
      empty,
    ]),
  ),
  'microsoft.servicebus/namespaces/authorizationrules/rootmanagesharedaccesskey': rootRule,
  'microsoft.eventhub/namespaces/authorizationrules/rootmanagesharedaccesskey': rootRule,
  'microsoft.servicebus/namespaces/networkrulesets/default': openNetwork,
  'microsoft.eventhub/namespaces/networkrulesets/default': openNetwork,
  'microsoft.eventhub/namespaces/eventhubs/consumergroups/$default': empty,
  'microsoft.servicebus/namespaces/topics/subscriptions/rules/$default': () => ({
    properties: {
      filterType: 'SqlFilter',
      sqlFilter: { sqlExpression: '1=1', compatibilityLevel: 20 },
      action: {},
    },
  }),
  'microsoft.sql/servers/connectionpolicies/default': () => ({
    properties: { connectionType: 'Default' },
  }),
  'microsoft.sql/servers/sqlvulnerabilityassessments/default': disabled,
  'microsoft.sql/servers/databases/transparentdataencryption/current': enabled,
  'microsoft.sql/servers/databases/geobackuppolicies/default': enabled,
  'microsoft.sql/servers/databases/securityalertpolicies/default': disabled,
  'microsoft.sql/servers/databases/backupshorttermretentionpolicies/default': () => ({
    properties: { retentionDays: 7, diffBackupIntervalInHours: 12 },
  }),
  'microsoft.sql/servers/databases/backuplongtermretentionpolicies/default': () => ({
    properties: {
      weeklyRetention: 'PT0S',
      monthlyRetention: 'PT0S',
      yearlyRetention: 'PT0S',
      weekOfYear: 0,
    },
  }),
  'microsoft.network/dnszones/soa/@': ({ name }) => {
    const SOARecord = {
      email: 'azuredns-hostmaster.microsoft.com',
      host: 'ns1-01.azure-dns.com.',
      minimumTTL: 300,
      ...soaTimes,
    };
    return { properties: { TTL: 3600, fqdn: `${name}.`, SOARecord } };
  },
  'microsoft.network/privatednszones/soa/@': ({ name }) => {
    const soaRecord = {
      email: 'azureprivatedns-host.microsoft.com',
      host: 'azureprivatedns.net',
      minimumTtl: 10,
      ...soaTimes,
    };
    return { properties: { ttl: 3600, fqdn: `${name}.`, soaRecord } };
  },
  'microsoft.insights/components/currentbillingfeatures': () => ({
    properties: {},
    otherMembers: {
      currentBillingFeatures: ['Basic'],
      dataVolumeCap: {
        cap: 100,
        maxHistoryCap: 1000,
        resetTime: 24,
        warningThreshold: 90,
        stopSendNotificationWhenHitCap: false,
        stopSendNotificationWhenHitThreshold: false,
      },
    } satisfies Json,
  }),
};

/**
 * The content that a parent provides for a type and a name; undefined for what has to be created.
 */
export function findDefaultContent(type: string, name: string): DefaultContent | undefined {
  return (
    defaultContents[`${type}/${name}`.toLowerCase()] ??
    (isSingleDocument(type) ? defaultContents[type.toLowerCase()] : undefined)
  );
}

/**
 * Whether a type is a single document of its parent, without a name: its address ends with the
 * type's last segment.
 */
export function isSingleDocument(type: string): boolean {
  return type.toLowerCase() === 'microsoft.insights/components/currentbillingfeatures';
}
