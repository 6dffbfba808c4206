import { judge } from '../support/judge.js';

judge('workspace-name-unique', {
  finds: [
    [
      'two workspaces with one name in other letter case',
      'workspaces: { w: { displayName: A }, v: { displayName: a } }',
    ],
  ],
});
