/** The limits of workspace items (spec 002, "Limits" and the tables of the three operations): the only place that states them. */
export const itemLimits = {
  /** Alphanumeric characters, underscores, periods, hyphens. 123 bytes is what the official Terraform provider lets through. */
  displayName: { minLength: 1, maxLength: 123, pattern: '^[A-Za-z0-9_.-]+$' },
  description: { maxLength: 256 },
  itemsPerWorkspace: 1000,
  labelStrategies: ['ApplyOrFail', 'Ignore'],
  payloadTypes: ['InlineBase64'],
  consumptionUnits: { discrete: [0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50], range: { minimum: 51, maximum: 322 } },
  workspace: {
    displayName: { minLength: 1, maxLength: 256 },
    description: { maxLength: 4000 },
    reservedNames: ['Admin monitoring', 'My workspace'],
    roleAssignments: { maximum: 1000 },
  },
  folder: { displayName: { minLength: 1, maxLength: 255 } },
  eventstream: { retentionTimeInDays: { minimum: 1, maximum: 90 }, eventThroughputLevels: ['Low', 'Medium', 'High'] },
} as const;

/** Whether a number of units is allowed: one of the listed ones, or any number from 51 to 322 (spec 002, "Limits" 3). */
export function isAllowedConsumptionUnits(units: number): boolean {
  const { discrete, range } = itemLimits.consumptionUnits;
  return (discrete as readonly number[]).includes(units) || (units >= range.minimum && units <= range.maximum);
}

/** Properties of an item that only the service sets (spec 002, "Workspace items: common objects"); an eventhouse's `properties` besides. */
export const readOnlyItemProperties = ['id', 'type', 'workspaceId', 'defaultIdentity', 'sensitivityLabel'] as const;

/** Properties of a workspace that only the service sets. */
export const readOnlyWorkspaceProperties = [
  'id',
  'type',
  'capacityRegion',
  'capacityAssignmentProgress',
  'oneLakeEndpoints',
  'workspaceIdentity',
] as const;
