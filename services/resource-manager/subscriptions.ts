import { resourceGroupType } from './resource-groups.js';
import type { Json, ResourceStore } from './store.js';

/** The ids of the subscriptions that have a resource group. */
export async function subscriptionIds(store: ResourceStore): Promise<string[]> {
  return [
    ...new Set(
      (await store.list({ type: resourceGroupType })).map(({ subscription }) => subscription),
    ),
  ];
}

/** A subscription in an answer. */
export function presentSubscription(id: string, tenantId: string): Json {
  return {
    id: `/subscriptions/${id}`,
    subscriptionId: id,
    displayName: `Subscription ${id.slice(0, 8)}`,
    state: 'Enabled',
    tenantId,
  };
}

const regionNames = [
  'West Europe',
  'North Europe',
  'Germany West Central',
  'France Central',
  'Switzerland North',
  'Sweden Central',
  'UK South',
  'East US',
  'East US 2',
  'Central US',
  'South Central US',
  'West US',
  'West US 2',
  'West US 3',
  'Canada Central',
  'Brazil South',
  'Southeast Asia',
  'East Asia',
  'Japan East',
  'Australia East',
  'Central India',
  'UAE North',
  'South Africa North',
];

/** The locations of a subscription. */
export function locations(subscription: string): Json[] {
  return regionNames.map((displayName) => {
    const name = displayName.toLowerCase().replaceAll(' ', '');
    return {
      id: `/subscriptions/${subscription}/locations/${name}`,
      name,
      type: 'Region',
      displayName,
      regionalDisplayName: displayName,
    };
  });
}
