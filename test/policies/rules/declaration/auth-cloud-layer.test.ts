import { testRule } from '../support/test-rule.js';
import { directory, signIn } from '../support/stacks.js';

const customProvider =
  'providers: { openIdConnect: { own: { clientId: a, wellKnownConfiguration: "https://i.example/c" } } }';

testRule('auth-cloud-layer', {
  finds: [
    ['requirements by path', signIn(`requirements: [{ path: /a, maxAge: 60 }]\n${directory}`)],
    [
      'groups of a custom provider',
      signIn(customProvider.replace('clientId: a', 'clientId: a, allowedGroups: [writers]')),
    ],
    [
      'claims of a custom provider',
      signIn(customProvider.replace('clientId: a', 'clientId: a, requiredClaims: { plan: [pro] }')),
    ],
    [
      'claims of the directory',
      signIn(directory.replace('directory: {', 'directory: { requiredClaims: { plan: [pro] },')),
    ],
  ],
  passes: [['the directory', signIn(directory)]],
});
