import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

/** A project of one group, for packs of rules. */
export interface PackProject {
  readonly folder: string;
  write(name: string, content: string): void;
  /** Checks it with a policy. @returns each finding on a line */
  check(policy: object, base?: string): Promise<readonly string[]>;
}

/** Makes the project anew for each test of this file. */
export function usePackProject(): PackProject {
  let folder: string;
  const write = (name: string, content: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-packs-'));
    write(
      'castellan.yaml',
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: unified, displayName: Shoppers, theme: Red }\n',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    write,
    async check(policy, base) {
      write(
        'castellan.policy.yaml',
        JSON.stringify({ version: 1, rules: { 'group-two-owners': 'off' }, ...policy }),
      );
      const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {}, base });
      return findings.map(
        ({ ruleId, message, location, severity }) =>
          `${location?.line ?? '-'} ${severity} ${ruleId}: ${message}`,
      );
    },
  };
}

/** A module that exports the rule `no-red`, with the body of its check. */
export const rule = (
  check: string,
  head = "const { defineRule } = require('castellan/policies');\nexports.rule =",
) => `${head} defineRule({
  id: 'no-red', title: 'No red.', why: 'Red is for alarms.', severity: 'warning', source: 'our style guide',
  sections: ['groups'], messages: { red: 'the theme is {given}' }, check(group, context) { ${check} } });\n`;

/** The body of a check that reports a red theme. */
export const report =
  "if (group.value.theme === 'Red') context.report({ messageId: 'red', path: ['theme'], parameters: { given: 'Red' } });";
