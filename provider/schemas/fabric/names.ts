import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import type { Mistake } from '../../../kinds/schema/judge.js';
import { beyondSchema, mistakeIn } from '../../../kinds/schema/judge.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import type { Check } from '../schema.js';

/** Units that an eventhouse can be given. */
export const consumptionUnits: Check = (value, name) =>
  saidOf(name, mistakeIn(eventhouse.properties.minimumConsumptionUnits, Number(value)));

/** Names that the service keeps for itself, in any letter case. */
export const workspaceDisplayName: Check = (value, name) => saidOf(name, beyondSchema(workspace.properties.displayName, value));

function saidOf(name: string, mistake: Mistake | undefined): string | undefined {
  return mistake === undefined ? undefined : `${name} is not allowed: ${mistake.words}`;
}
