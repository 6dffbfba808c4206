import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  type SecurityGroupProps,
  SecurityGroup,
  User,
} from '../../../constructs/index.js';
import { Construct } from '../../../constructs/internal/cdktf.js';
import '../../../constructs/testing/jest.js';

const stackOf = (props: Partial<SecurityGroupProps> = {}): CastellanStack => {
  const stack = new CastellanStack(
    new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-testing-')) }),
    'shop',
  );
  const owners = ['ada', 'grace'].map((name) =>
    User.fromPrincipalName(stack, name, `${name}@contoso.example`),
  );
  new SecurityGroup(stack, 'admins', {
    displayName: 'Admins',
    description: 'Who may change it',
    mailNickname: 'admins',
    owners,
    ...props,
  });
  return stack;
};
const withOneOwner = (): CastellanStack => {
  const stack = stackOf();
  const owners = [User.fromPrincipalName(stack, 'joan', 'joan@contoso.example')];
  new SecurityGroup(stack, 'more', {
    displayName: 'More',
    description: 'More people',
    mailNickname: 'more',
    owners,
  });
  return stack;
};

test('a stack without findings has none; advice counts where it is asked for', () => {
  expect(stackOf()).toHaveNoFindings();
  expect(withOneOwner()).toHaveNoFindings();
  expect(() => expect(withOneOwner()).toHaveNoFindings({ severity: 'info' })).toThrow(
    /the checks of the stack shop find:\s+.*matchers\.test\.ts:\d+:\d+: .*\(group-two-owners\)/,
  );
});

test('a finding is expected by its rule, and at its place', () => {
  expect(withOneOwner()).toHaveFinding('group-two-owners');
  expect(withOneOwner()).toHaveFinding('group-two-owners', { at: 'matchers.test.ts:34' });
  expect(stackOf()).not.toHaveFinding('group-two-owners');
  expect(() =>
    expect(withOneOwner()).toHaveFinding('group-two-owners', { at: 'main.ts:1' }),
  ).toThrow(/do not find group-two-owners at main\.ts:1, but:/);
});

test('a finding in a library is expected at its line there, or at the line that uses it', () => {
  class Team extends Construct {
    constructor(scope: Construct, id: string, owners: SecurityGroupProps['owners']) {
      super(scope, id);
      new SecurityGroup(this, 'members', { displayName: 'M', description: 'Members', owners });
    }
  }
  const stack = stackOf();
  new Team(stack, 'red', [User.fromPrincipalName(stack, 'joan', 'joan@contoso.example')]);
  for (const line of [64, 68])
    expect(stack).toHaveFinding('group-two-owners', { at: `matchers.test.ts:${line}` });
});

test('a declaration is found by some of its properties, with asymmetric ones', () => {
  expect(stackOf()).toHaveGroup({ displayName: 'Admins' });
  expect(stackOf()).toHaveGroup({ description: expect.stringContaining('change') });
  expect(stackOf()).not.toHaveWorkspace({});
  expect(() => expect(stackOf()).toHaveGroup({ displayName: 'Others' })).toThrow(
    /has no group with \{"displayName":"Others"\}, but:\s+.*Admins/,
  );
});

test('what is no construct is refused by name', () => {
  expect(() => expect('{}').toHaveNoFindings()).toThrow('pass the stack, not its JSON');
});

test('a resource is expected as Terraform gets it', () => {
  const stack = stackOf();
  const wanted = { display_name: 'Admins', security_enabled: true };
  expect(stack).toSynthesizeResource('azuread_group', wanted);
  expect(stack).toSynthesizeResource('azuread_group', {
    owners: expect.arrayContaining(['${data.azuread_user.ada.object_id}']) as unknown,
  });
  expect(stack).not.toSynthesizeResource('azuread_application', {});
  expect(() =>
    expect(stack).toSynthesizeResource('azuread_group', { display_name: 'Shoppers' }),
  ).toThrow(
    /the stack shop synthesizes no azuread_group with \{"display_name":"Shoppers"\}, but:\s+admins: \{.*"display_name":"Admins"/,
  );
  expect(() => expect(stack).not.toSynthesizeResource('azuread_group', wanted)).toThrow(
    /synthesizes an azuread_group with .* which was not expected/,
  );
});

test('a rule that does not exist is refused, as no stack could ever have its finding', () => {
  expect(() => expect(stackOf()).not.toHaveFinding('group-two-owner')).toThrow(
    'there is no rule "group-two-owner"; did you mean "group-two-owners"?',
  );
});
