import { testRule } from '../support/test-rule.js';

testRule('app-name-unique', {
  finds: [
    [
      'two apps with one name in the cloud',
      'containerApps: { a1: { name: same, image: "ghcr.io/c/s:1.0.0" }, b1: { name: same, image: "ghcr.io/c/s:1.0.0" } }',
    ],
    [
      'an app whose name in this file is the name of another one in the cloud',
      'containerApps: { a1: { name: b1, image: "ghcr.io/c/s:1.0.0" }, b1: { image: "ghcr.io/c/s:1.0.0" } }',
    ],
    [
      'two environments with one name in the cloud',
      'environments: { a: { name: ab }, b: { name: ab } }',
    ],
  ],
});
