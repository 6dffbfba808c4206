import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../policies/engine/run-check.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-packs-'));
  write('castellan.yaml', 'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: unified, displayName: Shoppers, theme: Red }\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const check = async (policy: object) => {
  write('castellan.policy.yaml', JSON.stringify({ version: 1, rules: { 'group-two-owners': 'off' }, ...policy }));
  const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {} });
  return findings.map(({ ruleId, message, location, severity }) => `${location?.line ?? '-'} ${severity} ${ruleId}: ${message}`);
};
const rule = (check: string, head = "const { defineRule } = require('castellan/policies');\nexports.rule =") => `${head} defineRule({
  id: 'no-red', title: 'No red.', why: 'Red is for alarms.', severity: 'warning', source: 'our style guide',
  sections: ['groups'], messages: { red: 'the theme is {given}' }, check(group, context) { ${check} } });\n`;
const report = "if (group.value.theme === 'Red') context.report({ messageId: 'red', path: ['theme'], parameters: { given: 'Red' } });";

describe('rules of your own', () => {
  it('run as JavaScript, at the line, with the severity of the policy', async () => {
    write('rules/red.js', rule(report));
    expect(await check({ packs: [{ file: 'rules/red.js' }] })).toEqual(['4 warning no-red: the theme is Red']);
    expect(await check({ packs: [{ file: 'rules/red.js' }], rules: { 'no-red': 'error', 'group-two-owners': 'off' } })).toEqual([
      '4 error no-red: the theme is Red',
    ]);
  });

  it('run as TypeScript', async () => {
    write(
      'red.ts',
      rule(
        report,
        "import { defineRule } from 'castellan/policies';\nimport type { Rule } from 'castellan/policies';\nexport const rule: Rule<'groups'> =",
      ),
    );
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual(['4 warning no-red: the theme is Red']);
  });

  it('run as a JSON Schema', async () => {
    write('described.schema.json', JSON.stringify({ title: 'Groups are described.', type: 'object', required: ['description'] }));
    expect(await check({ packs: [{ file: 'described.schema.json', section: 'groups' }] })).toEqual([
      "4 error described: this declaration must have required property 'description'",
    ]);
  });

  it.each([
    ['throws', 'throw new Error("oops")', 'the rule no-red failed: oops'],
    ['never ends', 'for (;;);', 'the rules did not finish within 0.5 s'],
    ['ends the program', 'process.exit(3)', 'the rules ended the program with 3'],
  ])('can not stop the check when one %s', async (_, body, reason) => {
    write('red.js', rule(body));
    expect(await check({ packs: [{ file: 'red.js', timeLimitSeconds: 0.5 }] })).toEqual([`- error pack-failed: red.js: ${reason}`]);
  });

  it('come as a package with its hash', async () => {
    write('node_modules/pack/package.json', JSON.stringify({ name: 'pack', main: 'index.js' }));
    write('node_modules/pack/index.js', rule(report));
    const without = check({ packs: [{ package: 'pack' }] });
    const integrity = await without.then(
      () => '',
      (error: Error) => /sha256-\S+/.exec(error.message)?.[0] ?? '',
    );
    expect(await check({ packs: [{ package: 'pack', integrity }] })).toEqual(['4 warning no-red: the theme is Red']);
    write('node_modules/pack/index.js', rule(''));
    await expect(check({ packs: [{ package: 'pack', integrity }] })).rejects.toMatchObject({ code: 'CAS7003' });
  });

  it.each([
    [{ file: 'none.js' }, 'none.js does not exist'],
    [{ file: 'empty.js' }, 'exports no rule'],
    [{ package: 'nowhere', integrity: 'sha256-aaaa' }, 'it is not installed'],
    [{}, 'say either file or package'],
  ])('are refused with a reason: %j', async (pack, reason) => {
    write('empty.js', '');
    await expect(check({ packs: [pack] })).rejects.toThrow(reason);
  });
});
