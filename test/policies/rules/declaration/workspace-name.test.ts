import { judge } from '../support/judge.js';

judge('workspace-name', {
  finds: [
    [
      'a name that the service keeps for itself',
      'workspaces: { w: { displayName: my workspace } }',
    ],
  ],
});
