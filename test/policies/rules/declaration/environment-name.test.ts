import { testRule } from '../support/test-rule.js';

testRule('environment-name', {
  finds: [
    ['a key of one letter', 'environments: { e: {} }'],
    ['an underscore in the key', 'environments: { my_apps: {} }'],
    ['a hyphen at the end of the key', 'environments: { apps-: {} }'],
    ['a name that ends in a hyphen', 'environments: { apps: { name: apps- } }'],
  ],
  passes: [['a name beside a key that could not be one', 'environments: { e: { name: apps } }']],
});
