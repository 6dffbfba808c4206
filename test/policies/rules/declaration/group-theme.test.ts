import { judge } from '../support/judge.js';
import { unifiedGroup } from '../support/stacks.js';

judge('group-theme', {
  finds: [['a theme in small letters', unifiedGroup('theme: red')]],
});
