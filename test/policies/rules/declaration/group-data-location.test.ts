import { judge } from '../support/judge.js';
import { unifiedGroup } from '../support/stacks.js';

judge('group-data-location', {
  finds: [["a data location that isn't published", unifiedGroup('preferredDataLocation: XYZ')]],
  passes: [['a published data location', unifiedGroup('preferredDataLocation: EUR')]],
});
