import { judge } from '../support/judge.js';
import { securityGroup } from '../support/stacks.js';

judge('group-unique-name', {
  finds: [
    ['a unique name for a new group, which no apply can give it', securityGroup('uniqueName: g')],
  ],
});
