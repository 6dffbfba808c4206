import type { Json } from './store.js';

const names = [
  ...['West Europe', 'North Europe', 'Germany West Central', 'France Central', 'Switzerland North', 'Sweden Central', 'UK South'],
  ...['East US', 'East US 2', 'Central US', 'South Central US', 'West US', 'West US 2', 'West US 3', 'Canada Central', 'Brazil South'],
  ...['Southeast Asia', 'East Asia', 'Japan East', 'Australia East', 'Central India', 'UAE North', 'South Africa North'],
];

/** Where a subscription can hold resources. */
export function locations(subscription: string): Json[] {
  return names.map((displayName) => {
    const name = displayName.toLowerCase().replaceAll(' ', '');
    return { id: `/subscriptions/${subscription}/locations/${name}`, name, type: 'Region', displayName, regionalDisplayName: displayName };
  });
}
