import { judge } from '../support/judge.js';

judge('workspace-name', {
  finds: [['a name that the service reserves', 'workspaces: { w: { displayName: my workspace } }']],
});
