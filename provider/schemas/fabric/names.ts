import { isAllowedConsumptionUnits, itemLimits } from '../../../kinds/item/limits.js';
import type { Check } from '../schema.js';

const { discrete, range } = itemLimits.consumptionUnits;

/** Units that an eventhouse can be given. */
export const consumptionUnits: Check = (value, name) =>
  isAllowedConsumptionUnits(Number(value))
    ? undefined
    : `${name} must be one of ${discrete.join(', ')}, or between ${range.minimum} and ${range.maximum}, got: ${String(value)}`;

/** Names that the service keeps for itself, in any letter case. */
export const workspaceDisplayName: Check = (value, name) => {
  const reserved = itemLimits.workspace.reservedNames.find((each) => each.toLowerCase() === String(value).toLowerCase());
  return reserved === undefined ? undefined : `${name} value must not be "${reserved}": the service keeps this name for itself`;
};
