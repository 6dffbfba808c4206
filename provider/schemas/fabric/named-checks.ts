import { customMistake } from '../../../kinds/schema/find-mistake.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { describedCheck } from '../described-schema.js';
import type { Check } from '../schema.js';

/** Names reserved by the service, in any letter case. */
export const workspaceDisplayName: Check = (value, name) => {
  const mistake = customMistake(workspace.properties.displayName, value);
  return mistake === undefined ? undefined : `${name} is not allowed: ${mistake.message}`;
};

/** The allowed minimum consumption of an eventhouse. */
export const consumptionUnits = describedCheck(eventhouse.properties.minimumConsumptionUnits);
