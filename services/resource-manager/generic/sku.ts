import { asObject, nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

/** The tiers that services return beside a SKU's name, by type in lower case. */
const tierByType: Readonly<Record<string, (name: string) => string>> = {
  'microsoft.containerregistry/registries': (name) => name,
  'microsoft.eventhub/namespaces': (name) => name,
  'microsoft.servicebus/namespaces': (name) => name,
  // Standard_LRS and Premium_ZRS: tier and replication.
  'microsoft.storage/storageaccounts': (name) => name.split('_')[0] ?? name,
};

/** The members beside `properties`, with the tier that belongs to the SKU's name. */
export function withSkuTier(type: string, members: Json): Json {
  const sku = asObject(members['sku']);
  const name = nonEmptyText(sku?.['name']);
  const tier = tierByType[type.toLowerCase()];
  if (name === undefined || tier === undefined) return members;
  return { ...members, sku: { ...sku, tier: tier(name) } };
}
