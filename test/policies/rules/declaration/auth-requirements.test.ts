import { testRule, rulesBrokenBy } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

const withRequirements = (entries: string, providers = directory): string =>
  signIn(`requirements: [${entries}]\n${providers}`);
const customProvider =
  'providers: { openIdConnect: { own: { clientId: a, wellKnownConfiguration: "https://i.example/c" } } }';

testRule('auth-requirements', {
  finds: [
    ['a path without a slash', withRequirements('{ path: admin, maxAge: 60 }')],
    ['a path with dots', withRequirements('{ path: /a/../b, maxAge: 60 }')],
    ['a path with a query', withRequirements('{ path: "/a?b", maxAge: 60 }')],
    ['a time in another form', withRequirements('{ path: /a, maxAge: 10 minutes }')],
    ['no time at all', withRequirements('{ path: /a, maxAge: "00:00:00" }')],
    ['zero seconds', withRequirements('{ path: /a, maxAge: 0 }')],
    ['one path twice', withRequirements('{ path: /a, maxAge: 60 }, { path: /A/*, maxAge: 60 }')],
    [
      'one path in two encodings',
      withRequirements('{ path: "/a%20b", maxAge: 60 }, { path: "/%61%20b", maxAge: 60 }'),
    ],
    ['a path with a semicolon', withRequirements('{ path: "/a;b", maxAge: 60 }')],
    ['the encoded endpoints of the layer', withRequirements('{ path: "/.aut%68", maxAge: 60 }')],
    ['the endpoints of the layer', withRequirements('{ path: /.auth/me, maxAge: 60 }')],
    ['a path that needs nothing', withRequirements('{ path: /a }')],
    ['a path that needs none of no claims', withRequirements('{ path: /a, claims: {} }')],
  ],
});
testRule('reference-exists', {
  finds: [
    ['an unknown group of a requirement', withRequirements('{ path: /a, groups: [nobody] }')],
  ],
});
test('groups of a custom provider are named by it', async () => {
  const broken = await rulesBrokenBy(
    withRequirements('{ path: /a, groups: [writers] }', customProvider),
  );
  expect(broken).toEqual(['auth-cloud-layer']);
});
