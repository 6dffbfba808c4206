import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-secret-in-env', {
  finds: [
    ['a database address with its password', app('env: { DB: "postgres://u:correct-horse@db/x" }')],
    [
      'a connection string with its password',
      app('env: { DB: "Server=db;User Id=u;Password=correct-horse" }'),
    ],
    ['the key of a storage account', app('env: { ST: "AccountName=a;AccountKey=abc==" }')],
    ['a private key', app('env: { PEM: "-----BEGIN RSA PRIVATE KEY----- x" }')],
  ],
  passes: [
    [
      'addresses without a password',
      app('env: { DB: "postgres://u@db:5432/x", A: "https://a:8080/b@c" }'),
    ],
  ],
});
