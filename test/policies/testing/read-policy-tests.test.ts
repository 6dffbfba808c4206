import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPolicyTests } from '../../../policies/testing/read-policy-tests.js';

function read(text: string): unknown {
  const file = join(mkdtempSync(join(tmpdir(), 'castellan-policy-test-')), 'a.policy-test.yaml');
  writeFileSync(file, text);
  return readPolicyTests(file, 'a.policy-test.yaml');
}

test.each([
  ['cases:\n  - { name: a, config: {}, expect: [] }\n'],
  ['version: 1\nnow: 2026-01-01\npolicy: p.yaml\ncases:\n  - { name: a, plan: p, expect: [b] }\n'],
  ['cases:\n  - { name: a, file: b, environment: prod, resources: [], expect: [] }\n'],
  ['cases:\n  - { name: a, resources: [{ type: b, name: c, values: {} }], expect: [] }\n'],
])('%j can be run', (text) => {
  expect(read(text)).toMatchObject({ cases: [{ name: 'a' }] });
});

test.each([
  [
    'cases: []\n---\ncases: [{ name: a, config: {}, expect: [] }]',
    'a.policy-test.yaml:3: a policy test is one document',
  ],
  ['case: []', 'has no cases: each needs name'],
  ['cases: [{ name: 5, config: {}, expect: [] }]', 'has no cases: each needs name'],
  ['now: never\ncases: [{ name: a, config: {}, expect: [] }]', 'now is "never", which is no time'],
  ['now: null\ncases: [{ name: a, config: {}, expect: [] }]', 'now is null, which is no time'],
  ['version: 2\ncases: [{ name: a, config: {}, expect: [] }]', 'version is 2; known is 1'],
  ['policy: 5\ncases: [{ name: a, config: {}, expect: [] }]', 'policy is 5, which is no path'],
  ['policy: null\ncases: [{ name: a, config: {}, expect: [] }]', 'policy is null, which is no'],
  ['polici: p\ncases: [{ name: a, config: {}, expect: [] }]', '"polici"; did you mean "policy"?'],
  [
    'cases: [{ name: a, confg: {}, expect: [] }]',
    'a: there is no key "confg"; did you mean "config"?',
  ],
  ['cases: [{ name: a, expect: [] }]', 'a: one of config, file, plan and resources'],
  ['cases: [{ name: a, resources: [], expect: [] }]', 'a: one of config, file, plan and resources'],
  ['cases: [{ name: a, config: {}, file: b, expect: [] }]', 'a: config and file exclude'],
  ['cases: [{ name: a, config: 5, expect: [] }]', 'a: config must be a map'],
  ['cases: [{ name: a, config: {}, expect: [5] }]', 'a: expect must be a list of rule ids'],
  ['cases: [{ name: a, resources: { b: 1 }, expect: [] }]', 'a: resources must be a list of'],
  ['cases: [{ name: a, resources: [{ type: b }], expect: [] }]', 'a: resources must be a list of'],
])('%j is refused: it would test less than it says', (text, mistake) => {
  expect(() => read(text)).toThrow(mistake);
});
