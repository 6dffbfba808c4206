import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-scopes-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const stack = (name: string) =>
  `version: 1\nstack: ${name}\ngroups: { g: { kind: security, displayName: G, mailNickname: g, ownersManagedElsewhere: true } }\n`;
const findingLines = async (paths: readonly string[] = ['.']) =>
  (await runCheck({ paths, recursive: true, cwd: folder, env: {} })).findings.flatMap(
    ({ ruleId, message, location }) =>
      ruleId === 'policy-rule' ? [`${location?.line}:${location?.column} ${message}`] : [],
  );

describe('the names in the scopes of a policy', () => {
  const policy = [
    'version: 1',
    'scopes:',
    '  - { stacks: [storefrnt], rules: { group-two-owners: off } }',
    '  - { environments: [prod, prodd], stacks: [elsewhere], rules: { group-two-owners: off } }',
    'suppressions:',
    '  - { rule: group-theme, stack: storfront, reason: x, owner: y, until: 2099-01-01 }',
    '',
  ].join('\n');

  it('are those of stacks and environments, or reported as misspelt', async () => {
    write('castellan.policy.yaml', policy);
    write('shop/castellan.yaml', stack('storefront'));
    write('shop/castellan.prod.yaml', 'stack: storefront\n');
    expect(await findingLines()).toEqual([
      '3:16 there is no stack "storefrnt"; did you mean "storefront"?',
      '4:28 there is no environment "prodd"; did you mean "prod"?',
      '6:33 there is no stack "storfront"; did you mean "storefront"?',
    ]);
  });

  it('may be those of stacks that were not checked', async () => {
    write('castellan.policy.yaml', policy);
    write('shop/castellan.yaml', stack('storefront'));
    expect(await findingLines(['shop'])).toEqual([]);
  });
});
