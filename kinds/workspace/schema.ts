import { Optional } from '@sinclair/typebox';
import { itemLimits } from '../item/limits.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, guid, list, reference, text, words } from '../schema/shapes.js';

const roleSchema = closed({
  principal: reference(['principals', 'groups'], 'A principal or a group of this stack.'),
  role: words(['Admin', 'Contributor', 'Member', 'Viewer'], { description: 'What the principal may do.' }),
});

/** A workspace, which holds eventhouses and eventstreams. */
export const workspaceSchema = closed(
  {
    displayName: text('The name of the workspace.', itemLimits.workspace.displayName),
    description: Optional(text('What the workspace is for.', itemLimits.workspace.description)),
    capacityId: Optional(guid('The capacity that the workspace runs on. Eventhouses need one.')),
    skipCapacityStateValidation: Optional(flag('Whether a paused capacity is accepted.', { default: false })),
    identity: Optional(flag('Whether the workspace has an identity of its own.', { default: false })),
    roles: Optional(list(roleSchema, { description: 'Who may do what in the workspace.' })),
  },
  { description: 'A workspace, which holds eventhouses and eventstreams.' },
);

/** A workspace, which holds eventhouses and eventstreams. */
export type WorkspaceProps = Declared<typeof workspaceSchema>;
