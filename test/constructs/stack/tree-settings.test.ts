import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  checkTree,
  GroupLifecyclePolicy,
  UnifiedGroup,
} from '../../../constructs/index.js';

const owners = ['11111111-1111-4222-8333-444455556666', '22222222-1111-4222-8333-444455556666'];
const stackWithExpiringGroup = () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-settings-')) });
  const stack = new CastellanStack(app, 'shop');
  new UnifiedGroup(stack, 'shoppers', {
    displayName: 'Shoppers',
    mailNickname: 'shoppers',
    owners,
    expirationPolicy: { renewable: true },
  });
  return stack;
};
/** Adds an expiration policy by which no group expires. */
const addPolicyWithoutGroups = (stack: CastellanStack) =>
  new GroupLifecyclePolicy(stack, 'expiration', {
    groupLifetimeInDays: 365,
    managedGroupTypes: 'None',
  });
const failuresOf = (stack: CastellanStack): readonly string[] =>
  checkTree(stack).flatMap(({ verdict, ruleId, message }) =>
    verdict === 'fail' ? [`${ruleId}: ${message}`] : [],
  );

describe('the settings of a stack in a program', () => {
  it('are what rules compare groups with, as in castellan.yaml', () => {
    const stack = stackWithExpiringGroup();
    expect(failuresOf(stack)).toEqual([]);
    addPolicyWithoutGroups(stack);
    expect(failuresOf(stack)).toEqual([
      expect.stringMatching(/^group-lifecycle: .*managedGroupTypes is None/),
    ]);
  });

  it('are those of the stack that is checked, not of another stack of the app', () => {
    const stack = stackWithExpiringGroup();
    addPolicyWithoutGroups(new CastellanStack(stack.node.root, 'tenant'));
    expect(failuresOf(stack)).toEqual([]);
  });
});
