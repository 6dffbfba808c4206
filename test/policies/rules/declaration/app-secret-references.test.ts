import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-secret-references', {
  finds: [
    ["a variable from a secret that the app doesn't have", app('env: { A: { secret: nope } }')],
    [
      "a password from a secret that the app doesn't have",
      app('registries: [ { server: ghcr.io, username: a, password: secret:nope } ]'),
    ],
    ['a secret that is itself', app('secrets: { a: secret:a }')],
  ],
  passes: [
    [
      'a secret of a key vault, for which the app gets an identity',
      app('secrets: { a: "keyvault:https://v.vault.azure.net/secrets/a" }'),
    ],
    [
      "a secret of a key vault, read with the app's own identity",
      app(
        'secrets: { a: "keyvault:https://v.vault.azure.net/secrets/a" }\nidentity: { systemAssigned: true }',
      ),
    ],
  ],
});
