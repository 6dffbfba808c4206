import { execFileSync } from 'node:child_process';
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
const check = async (policy: object, base?: string) => {
  write('castellan.policy.yaml', JSON.stringify({ version: 1, rules: { 'group-two-owners': 'off' }, ...policy }));
  const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {}, base });
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

  it('run as ES modules, with what only TypeScript has, in a project that has no TypeScript', async () => {
    write('kinds.ts', "export enum Colour { alarm = 'Red' }\nexport default Colour;\nexport type Unused = string;\n");
    write('words.js', "export const title = 'No red.';\nexport * as all from './more.mjs';\n");
    write('more.mjs', 'export const why = "Red is for alarms.";\n');
    write(
      'red.ts',
      [
        "import { defineRule, type Rule } from 'castellan/policies';",
        "import Colour, { type Unused } from './kinds.js';",
        "import { title, all } from './words.js';",
        'abstract class Told { constructor(readonly given: Unused) {} }',
        'class Red extends Told { static #count = 0; override readonly given = Colour.alarm; next() { return ++Red.#count; } }',
        'export const noRed = defineRule({',
        "  id: 'no-red', title, why: all.why, severity: 'warning' as const, source: 'our style guide', sections: ['groups'],",
        "  messages: { red: 'the theme is {given}, no. {count}' } satisfies Record<string, string>,",
        '  check({ value }, context) {',
        '    const red = new Red(value.theme!);',
        '    if (value.theme === red.given) context.report({ messageId: "red", path: ["theme"], parameters: { given: value?.theme, count: red.next() } });',
        '  },',
        '});',
        'export const rules: readonly Rule[] = <const>[noRed];',
      ].join('\n'),
    );
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual(['4 warning no-red: the theme is Red, no. 1']);
  });

  it('say where they cannot be read', async () => {
    write('red.ts', 'export const a = 1;\nexport const = 2;\n');
    await expect(check({ packs: [{ file: 'red.ts' }] })).rejects.toThrow(/red\.ts.*\(2:14\)/);
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
    ['kills the program', 'process.kill(process.pid, "SIGKILL")', 'the rules took more than 1024 MiB of memory, or were killed (SIGKILL)'],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(Buffer.alloc(1e8, 1))',
      'the rules took more than 1024 MiB of memory, or were killed (SIGKILL)',
    ],
    ['says a message that it lacks', "context.report({ messageId: 'blue' })", 'the rule no-red failed: it has no message "blue", only red'],
    ['reports nothing', 'context.report(null)', 'the rule no-red failed: it has no message "undefined", only red'],
    [
      'names a place that is none',
      "context.report({ messageId: 'red', path: 'theme' })",
      "the rule no-red failed: the path of a report is a list of keys and positions, such as ['owners', 2]",
    ],
    [
      'comes too late',
      'return Promise.reject(new Error("late"))',
      'the rule no-red failed: its check is asynchronous: what it finds would come too late',
    ],
  ])('can not stop the check when one %s', async (name, body, reason) => {
    write('red.js', rule(body));
    const timeLimitSeconds = name === 'never ends' ? 0.5 : 30;
    expect(await check({ packs: [{ file: 'red.js', timeLimitSeconds }] })).toEqual([`1 error pack-failed: red.js: ${reason}`]);
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

  it('take what a rule reports as data, and print nothing into the report', async () => {
    write(
      'red.js',
      rule("console.log('hello'); context.report({ messageId: 'red', parameters: { given: () => 1, self: context.index } })"),
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual(['4 warning no-red: the theme is () => 1']);
  });

  it('compare with what was there before', async () => {
    write(
      'red.js',
      rule('', "const { defineRule } = require('castellan/policies');\nexports.rule =")
        .replace("sections: ['groups']", "sections: ['groups'], scope: 'change'")
        .replace(
          'check(group, context) {',
          "checkRemoved(group, context) { context.report({ messageId: 'red', parameters: { given: group.name } });",
        ),
    );
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder, stdio: 'ignore' });
    git('init');
    git('add', '.');
    git('commit', '-m', 'before');
    write('castellan.yaml', 'version: 1\nstack: shop\ngroups: {}\n');
    expect(await check({ packs: [{ file: 'red.js' }], rules: { 'change-deletes': 'off' } }, 'HEAD')).toEqual([
      '3 warning no-red: the theme is shoppers',
    ]);
  });

  it('are one rule each, however they are exported, and keep to ids that are free', async () => {
    write('red.js', `${rule(report)}exports.list = [exports.rule];\nexports.default = exports.rule;\n`);
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual(['4 warning no-red: the theme is Red']);
    await expect(check({ packs: [{ file: 'red.js' }, { file: './red.js' }] })).rejects.toThrow(
      'the rule "no-red" has the id of a rule of red.js; give it another',
    );
    write('red.js', rule(report).replace("'no-red'", "'group-theme'"));
    await expect(check({ packs: [{ file: 'red.js' }] })).rejects.toThrow('the rule "group-theme" has the id of a rule of castellan');
  });

  it('are refused when any file of their package has changed', async () => {
    write('node_modules/pack/package.json', JSON.stringify({ name: 'pack', main: 'index.js' }));
    write('node_modules/pack/index.js', "exports.rule = require('./red.js').rule;\n");
    write('node_modules/pack/red.js', rule(report));
    const hash = await check({ packs: [{ package: 'pack' }] }).then(
      () => '',
      (error: Error) => /sha256-\S+/.exec(error.message)?.[0] ?? '',
    );
    expect(await check({ packs: [{ package: 'pack', integrity: hash }] })).toEqual(['4 warning no-red: the theme is Red']);
    write('node_modules/pack/red.js', rule(''));
    await expect(check({ packs: [{ package: 'pack', integrity: hash }] })).rejects.toThrow('look at what changed before you accept it');
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
