import { describe, expect, it } from 'vitest';
import { ids, startItems } from './support/start-items.js';

const principal = { id: ids.viewer, type: 'User' };

describe('a seed of workspaces', () => {
  it.each([
    [
      'two workspaces of one name',
      [
        { id: ids.workspace, displayName: 'Telemetry' },
        { id: ids.workspaceWithoutCapacity, displayName: 'TELEMETRY' },
      ],
      'workspaces[1].displayName "TELEMETRY" is that of another workspace',
    ],
    [
      'two roles of one principal',
      [
        {
          id: ids.workspace,
          displayName: 'Telemetry',
          roleAssignments: [
            { principal, role: 'Admin' },
            { principal: { ...principal, id: principal.id.toUpperCase() }, role: 'Viewer' },
          ],
        },
      ],
      `workspaces[0].roleAssignments[1].principal.id ${principal.id} has a role above`,
    ],
  ])('with %s is refused, naming the entry', async (_name, workspaces, message) => {
    await expect(startItems({ seed: { workspaces } })).rejects.toMatchObject({
      code: 'CAS4002',
      message: expect.stringContaining(message),
    });
  });
});
