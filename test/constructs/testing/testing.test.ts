import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { App, CastellanStack, User, SecurityGroup } from '../../../constructs/index.js';
import { expectFindings, synthesized } from '../../../constructs/testing/index.js';

const stackOf = (displayName = 'Admins'): CastellanStack => {
  const stack = new CastellanStack(
    new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-testing-')) }),
    'shop',
  );
  const owners = ['ada', 'grace'].map((name) =>
    User.fromPrincipalName(stack, name, `${name}@contoso.example`),
  );
  new SecurityGroup(stack, 'admins', {
    displayName,
    description: 'Who may change it',
    mailNickname: 'admins',
    owners,
  });
  return stack;
};

test('a stack without findings passes; an expected finding that is missing fails', () => {
  expect(() => expectFindings(stackOf())).not.toThrow();
  expect(() => expectFindings(stackOf(), ['group-two-owners'])).toThrow(
    'expected, but not found: group-two-owners',
  );
});

test('advice (findings of severity info) may be expected, and need not be', () => {
  const stack = new CastellanStack(
    new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-testing-')) }),
    'shop',
  );
  const owners = [User.fromPrincipalName(stack, 'ada', 'ada@contoso.example')];
  new SecurityGroup(stack, 'admins', {
    displayName: 'Admins',
    description: 'Who may change it',
    mailNickname: 'admins',
    owners,
  });
  expect(expectFindings(stack).map(({ ruleId }) => ruleId)).toEqual(['group-two-owners']);
  expect(() => expectFindings(stack, ['group-two-owners'])).not.toThrow();
});

test('an unexpected finding is reported with its line', () => {
  const stack = stackOf();
  new AzureadGroup(stack, 'again', {
    displayName: 'Again',
    securityEnabled: true,
    mailNickname: 'sho ppers',
  });
  expect(() => expectFindings(stack)).toThrow(/not expected: .*sho ppers/);
});

test("synthesized returns the stack's Terraform JSON", () => {
  expect(synthesized(stackOf()).resource?.['azuread_group']).toMatchObject({
    admins: { display_name: 'Admins' },
  });
});
