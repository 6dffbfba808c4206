import { testRule, rulesBrokenBy } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

const required = (entries: string, providers = directory): string =>
  signIn(`requirements: [${entries}]\n${providers}`);
const own =
  'providers: { openIdConnect: { own: { clientId: a, wellKnownConfiguration: "https://i.example/c" } } }';

testRule('auth-requirements', {
  finds: [
    ['a path without a slash', required('{ path: admin, maxAge: 60 }')],
    ['a path with dots', required('{ path: /a/../b, maxAge: 60 }')],
    ['a path with a query', required('{ path: "/a?b", maxAge: 60 }')],
    ['a time in another form', required('{ path: /a, maxAge: 10 minutes }')],
    ['no time at all', required('{ path: /a, maxAge: "00:00:00" }')],
    ['zero seconds', required('{ path: /a, maxAge: 0 }')],
    ['one path twice', required('{ path: /a, maxAge: 60 }, { path: /A/*, maxAge: 60 }')],
    ['the endpoints of the layer', required('{ path: /.auth/me, maxAge: 60 }')],
    ['a path that needs nothing', required('{ path: /a }')],
  ],
});
testRule('reference-exists', {
  finds: [['an unknown group of a requirement', required('{ path: /a, groups: [nobody] }')]],
});
test('groups of a custom provider are named by it', async () => {
  const broken = await rulesBrokenBy(required('{ path: /a, groups: [writers] }', own));
  expect(broken).toEqual(['auth-cloud-layer']);
});
