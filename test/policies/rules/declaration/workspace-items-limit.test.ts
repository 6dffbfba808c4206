import { testRule } from '../support/test-rule.js';
import { workspace } from '../support/stacks.js';

const houses = (count: number): string => {
  const each = Array.from(
    { length: count },
    (_, index) => `e${index}: { workspace: w, displayName: e${index} }`,
  );
  return `${workspace}\neventhouses: { ${each.join(', ')} }`;
};

testRule('workspace-items-limit', {
  finds: [['more than 1,000 items, with the database of each eventhouse', houses(501)]],
  passes: [['1,000 items', houses(500)]],
});
