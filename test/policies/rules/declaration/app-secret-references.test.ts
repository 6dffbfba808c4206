import { testRule } from '../support/test-rule.js';
import { app, servedApp } from '../support/stacks.js';

const provider = (variable: string): string =>
  `{ clientId: a, clientSecret: "\${env:${variable}}", wellKnownConfiguration: "https://i.example/.well-known/openid-configuration" }`;

testRule('app-secret-references', {
  finds: [
    ["a variable from a secret that the app doesn't have", app('env: { A: { secret: nope } }')],
    [
      "a password from a secret that the app doesn't have",
      app('registries: [ { server: ghcr.io, username: a, password: secret:nope } ]'),
    ],
    [
      'two providers whose secrets have one name',
      servedApp(
        `auth: { redirectTo: a_b, providers: { openIdConnect: { a_b: ${provider('A')}, a-b: ${provider('B')} } } }`,
      ),
    ],
    [
      'two registries whose passwords have one name',
      app(
        'registries: [{ server: a.example, username: a, password: "${env:A}" }, { server: a-example, username: a, password: "${env:B}" }]',
      ),
    ],
    [
      "a secret with the name of that of the app's registration",
      servedApp(
        'secrets: { directory-client-secret: "${env:A}" }\nauth: { providers: { directory: { registration: login } } }',
        'registrations: { login: { displayName: L } }',
      ),
    ],
    ['a secret that is itself', app('secrets: { a: secret:a }')],
  ],
  passes: [
    [
      'the same secret under one name',
      servedApp(
        `secrets: { search-client-secret: "\${env:A}" }\nauth: { providers: { search: { clientId: a, clientSecret: "\${env:A}" } } }`,
      ),
    ],
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
