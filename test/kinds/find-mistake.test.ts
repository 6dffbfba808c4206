import { mistakeInBody } from '../../kinds/schema/request-body.js';
import { mistakeIn } from '../../kinds/schema/find-mistake.js';
import { registration } from '../../kinds/registration/registration.js';

test('a mistake in a list says in which entry it is', () => {
  const { redirectUris } = registration.properties;
  expect(mistakeIn(redirectUris, ['https://a.example/cb', 'ftp://a.example/cb'])?.message).toMatch(
    /^entry 2: /,
  );
  const appRoles = [{ displayName: 'Reader' }, { displayName: '' }];
  expect(mistakeInBody(registration.properties, { appRoles })?.message).toMatch(
    /^entry 2: displayName: /,
  );
});
