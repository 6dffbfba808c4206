import { findPersonIndex } from '../../../access/answer/find-person.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';
import { modelOf, stackOf } from '../support.js';

const { memberships } = modelOf(stackOf({}));

/** The name of the person that is found, without the domain. */
function personFound(text: string, ...configs: readonly StackConfig[]): string | undefined {
  const { userPrincipalName } = memberships.person(
    findPersonIndex(text, memberships, configs),
  ).body;
  return userPrincipalName?.split('@')[0];
}

function withLead(user: string): StackConfig {
  return stackOf({}, { principals: { lead: { user } } });
}

test.each([
  ['ada@contoso.example', 'ada'],
  ['ADA@Contoso.example', 'ada'],
  ['grace of Contoso', 'grace'],
  [' grace ', 'grace'],
])('%s is found', (text, name) => {
  expect(personFound(text)).toBe(name);
});

test.each(['lead', ' lead '])("the stack's name %j of a principal is found", (text) => {
  const lead = withLead('Ada@contoso.example');
  expect(personFound(text, stackOf({}), lead, lead)).toBe('ada');
});

test('a name that two stacks give to different people is ambiguous', () => {
  const [first, second] = [withLead('ada@contoso.example'), withLead('grace@contoso.example')];
  expect(() => personFound('lead', first, second)).toThrow(
    '"lead" can be ada@contoso.example, grace@contoso.example: give the user principal name',
  );
});

test('an unknown name is reported with the closest one', () => {
  expect(() => personFound('ada@contoso.exampel')).toThrow(
    'no person "ada@contoso.exampel" in the test, did you mean "ada@contoso.example"?',
  );
});
