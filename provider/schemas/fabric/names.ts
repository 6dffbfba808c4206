import { beyondSchema } from '../../../kinds/schema/judge.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import type { Check } from '../schema.js';

/** Names that the service keeps for itself, in any letter case. */
export const workspaceDisplayName: Check = (value, name) => {
  const mistake = beyondSchema(workspace.properties.displayName, value);
  return mistake === undefined ? undefined : `${name} is not allowed: ${mistake.words}`;
};
