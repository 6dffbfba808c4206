import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { loadPacks } from '../../../policies/packs/load-packs.js';
import { report, rule, usePackProject } from './support/pack-project.js';

const project = usePackProject();
const { check, write } = project;

describe('rules of your own', () => {
  it('run as JavaScript, at the line, with the severity of the policy', async () => {
    write('rules/red.js', rule(report));
    expect(await check({ packs: [{ file: 'rules/red.js' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    expect(
      await check({
        packs: [{ file: 'rules/red.js' }],
        rules: { 'no-red': 'error', 'group-two-owners': 'off' },
      }),
    ).toEqual(['4 error no-red: the theme is Red']);
  });

  it('run as TypeScript', async () => {
    write(
      'red.ts',
      rule(
        report,
        "import { defineRule } from 'castellan/policies';\nimport type { Rule } from 'castellan/policies';\nexport const rule: Rule<'groups'> =",
      ),
    );
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
  });

  it('may import everything that castellan/policies exports, one by one and together', async () => {
    write(
      'red.ts',
      [
        "import { defineRule, rules } from 'castellan/policies';",
        "import * as policies from 'castellan/policies';",
        "const names = Object.keys(policies).filter((name) => policies[name as 'rules'] === undefined);",
        rule(
          "context.report({ messageId: 'red', path: ['theme'], parameters: { given: [names.length, rules.length > 100, 'checkStack' in policies, policies.defineRule === defineRule].join(' ') } });",
          'export const rule =',
        ),
      ].join('\n'),
    );
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual([
      '4 warning no-red: the theme is 0 true true true',
    ]);
  });

  it('run as ES modules, with what only TypeScript has, in a project that has no TypeScript', async () => {
    write(
      'kinds.ts',
      "export enum Colour { alarm = 'Red' }\nexport default Colour;\nexport type Unused = string;\n",
    );
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
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual([
      '4 warning no-red: the theme is Red, no. 1',
    ]);
  });

  it('may import JSON', async () => {
    write('themes.json', '\uFEFF{ "refused": ["Red"] }\n');
    const body = `if (themes.refused.includes(group.value.theme)) { ${report} }`;
    const head =
      "import { defineRule } from 'castellan/policies';\nimport themes from './themes.json';\nexport const rule =";
    write('red.ts', rule(body, head));
    expect(await check({ packs: [{ file: 'red.ts' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    write('themes.json', '{\n  "refused": [ }\n');
    await expect(check({ packs: [{ file: 'red.ts' }] })).rejects.toThrow(
      /red\.ts: \S+themes\.json is not JSON: Unexpected token '\}', line 2, column 16/,
    );
  });

  it('say where they cannot be read', async () => {
    write('red.ts', 'export const a = 1;\nexport const = 2;\n');
    await expect(check({ packs: [{ file: 'red.ts' }] })).rejects.toThrow(/red\.ts.*\(2:14\)/);
  });

  it('are refused with a severity that fails no check', async () => {
    write('red.js', rule(report).replace("'warning'", "'critical'"));
    await expect(check({ packs: [{ file: 'red.js' }] })).rejects.toThrow(
      'the rule no-red has the severity "critical"; allowed: error, warning, info',
    );
    write('red.js', rule(report.replace('path:', "severity: 'high', path:")));
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '1 error pack-failed: red.js: the rule no-red failed: it reports with the severity "high"; allowed: error, warning, info',
    ]);
  });

  it('start in any number: they add no listeners to stderr, of which Node warns after ten', async () => {
    write('red.js', rule(report));
    const before = process.stderr.listenerCount('unpipe');
    const [pack] = await loadPacks([{ file: 'red.js' }], project.folder, []);
    const during = process.stderr.listenerCount('unpipe');
    await pack?.close();
    expect(during).toBe(before);
  });

  it('say where a JSON Schema is no JSON, which may begin with a byte order mark', async () => {
    write('no-red.schema.json', '\uFEFF{ "properties": { "theme": { "const": "Green" } } }');
    const packs = [{ file: 'no-red.schema.json', section: 'groups' }];
    expect(await check({ packs })).toEqual(['4 error no-red: theme must be "Green"']);
    write('no-red.schema.json', '{\n  "properties": }\n');
    await expect(check({ packs })).rejects.toThrow(
      "no-red.schema.json is not JSON: Unexpected token '}', line 2, column 17",
    );
  });

  it('run as a JSON Schema', async () => {
    write(
      'described.schema.json',
      JSON.stringify({ title: 'Groups are described.', type: 'object', required: ['description'] }),
    );
    expect(await check({ packs: [{ file: 'described.schema.json', section: 'groups' }] })).toEqual([
      "4 error described: this declaration must have required property 'description'",
    ]);
  });

  it.each([
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('run as a JSON Schema of the draft %s', async ($schema) => {
    write('old.json', JSON.stringify({ $schema, properties: { kind: { enum: ['security'] } } }));
    expect(await check({ packs: [{ file: 'old.json', section: 'groups' }] })).toEqual([
      '4 error old: kind must be "security"',
    ]);
  });

  it('say which drafts a JSON Schema may be written in', async () => {
    const $schema = 'http://json-schema.org/draft-04/schema#';
    write('old.json', JSON.stringify({ $schema, properties: { kind: { enum: ['security'] } } }));
    await expect(check({ packs: [{ file: 'old.json', section: 'groups' }] })).rejects.toThrow(
      `old.json: its $schema is ${$schema}; known are those of the drafts 06, 07, 2019-09 and 2020-12`,
    );
  });

  it.each([
    [
      'import.meta',
      'export const here = import.meta.url;',
      /red\.ts has import\.meta; write __filename or __dirname/,
    ],
    ['await', 'await 1;', /red\.ts awaits while it is loaded; rules can't wait/],
  ])('report what to write in place of %s', async (_name, line, expected) => {
    write(
      'red.ts',
      `${line}\n${rule(report, "import { defineRule } from 'castellan/policies';\nexport const rule =")}`,
    );
    await expect(check({ packs: [{ file: 'red.ts' }] })).rejects.toThrow(expected);
  });

  it('are pinned by a hash of everything that they import', async () => {
    write('words.js', "exports.title = 'No red.';\n");
    write('red.js', `require('./words');\n${rule(report)}`);
    const wrong = check({ packs: [{ file: 'red.js', integrity: 'sha256-AAAA' }] });
    const integrity = await wrong.then(
      () => '',
      (error: Error) => /its hash is (sha256-\S+),/.exec(error.message)?.[1] ?? '',
    );
    expect(await check({ packs: [{ file: 'red.js', integrity }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    write('words.js', "exports.title = 'Something else.';\n");
    await expect(check({ packs: [{ file: 'red.js', integrity }] })).rejects.toMatchObject({
      code: 'CAS7003',
    });
  });

  it.each([
    ['a nested package', 'node_modules/pack/node_modules/inner/index.js'],
    ['a package that it depends on', 'node_modules/dependency/index.js'],
    ['a file behind a link', 'elsewhere/linked.js'],
  ])('come as a package whose hash covers %s', async (_what, changed) => {
    write(
      'node_modules/pack/package.json',
      JSON.stringify({
        name: 'pack',
        main: 'index.js',
        dependencies: { inner: '1', dependency: '1' },
      }),
    );
    write(
      'node_modules/pack/index.js',
      `require('inner'); require('dependency');\n${rule(report)}`,
    );
    for (const name of ['pack/node_modules/inner', 'dependency']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      write(`node_modules/${name}/index.js`, 'exports.a = 1;\n');
    }
    write('elsewhere/linked.js', 'exports.b = 1;\n');
    symlinkSync(
      join(project.folder, 'elsewhere/linked.js'),
      join(project.folder, 'node_modules/pack/linked.js'),
    );
    const integrity = await check({ packs: [{ package: 'pack' }] }).then(
      () => '',
      (error: Error) => /sha256-\S+/.exec(error.message)?.[0] ?? '',
    );
    expect(await check({ packs: [{ package: 'pack', integrity }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    write(changed, 'exports.c = 2;\n');
    await expect(check({ packs: [{ package: 'pack', integrity }] })).rejects.toMatchObject({
      code: 'CAS7003',
    });
  });

  it('may import a package with a package.json in one of its folders', async () => {
    write(
      'node_modules/dual/package.json',
      JSON.stringify({
        name: 'dual',
        main: 'dist/cjs/index.js',
        dependencies: { dependency: '1' },
      }),
    );
    write('node_modules/dual/dist/cjs/package.json', '{ "type": "commonjs" }\n');
    write(
      'node_modules/dual/dist/cjs/index.js',
      "exports.colour = require('dependency').colour + require('../../more.js').rest;\n",
    );
    write('node_modules/dual/more.js', "exports.rest = 'd';\n");
    write('node_modules/dependency/package.json', '{ "name": "dependency" }\n');
    write('node_modules/dependency/index.js', "exports.colour = 'Re';\n");
    const body = `if (colour === 'Red') { ${report} }`;
    write('red.js', `const { colour } = require('dual');\n${rule(body)}`);
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
  });

  it('come as a package with its hash', async () => {
    write('node_modules/pack/package.json', JSON.stringify({ name: 'pack', main: 'index.js' }));
    write('node_modules/pack/index.js', rule(report));
    const without = check({ packs: [{ package: 'pack' }] });
    const integrity = await without.then(
      () => '',
      (error: Error) => /sha256-\S+/.exec(error.message)?.[0] ?? '',
    );
    expect(await check({ packs: [{ package: 'pack', integrity }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    write('node_modules/pack/index.js', rule(''));
    await expect(check({ packs: [{ package: 'pack', integrity }] })).rejects.toMatchObject({
      code: 'CAS7003',
    });
  });

  it('are passed on as data, and their output does not get into the report', async () => {
    write(
      'red.js',
      rule(
        "console.log('hello'); context.report({ messageId: 'red', parameters: { given: () => 1, self: context.index } })",
      ),
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is () => 1',
    ]);
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
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: project.folder,
        stdio: 'ignore',
      });
    const policy = { packs: [{ file: 'red.js' }], rules: { 'change-deletes': 'off' } };
    write('castellan.policy.yaml', JSON.stringify({ version: 1, ...policy }));
    git('init');
    git('add', '.');
    git('commit', '-m', 'before');
    write('castellan.yaml', 'version: 1\nstack: shop\ngroups: {}\n');
    expect(await check(policy, 'HEAD')).toEqual(['3 warning no-red: the theme is shoppers']);
  });

  it('count once, however they are exported, and must have unused ids', async () => {
    write(
      'red.js',
      `${rule(report)}exports.list = [exports.rule];\nexports.default = exports.rule;\n`,
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    await expect(check({ packs: [{ file: 'red.js' }, { file: './red.js' }] })).rejects.toThrow(
      'the rule "no-red" has the id of a rule of red.js; give it another',
    );
    write('red.js', rule(report).replace("'no-red'", "'group-theme'"));
    await expect(check({ packs: [{ file: 'red.js' }] })).rejects.toThrow(
      'the rule "group-theme" has the id of a rule of castellan',
    );
  });

  it('are refused when any file of their package has changed', async () => {
    write('node_modules/pack/package.json', JSON.stringify({ name: 'pack', main: 'index.js' }));
    write('node_modules/pack/index.js', "exports.rule = require('./red.js').rule;\n");
    write('node_modules/pack/red.js', rule(report));
    const hash = await check({ packs: [{ package: 'pack' }] }).then(
      () => '',
      (error: Error) => /sha256-\S+/.exec(error.message)?.[0] ?? '',
    );
    expect(await check({ packs: [{ package: 'pack', integrity: hash }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
    write('node_modules/pack/red.js', rule(''));
    await expect(check({ packs: [{ package: 'pack', integrity: hash }] })).rejects.toThrow(
      'look at what changed before you accept it',
    );
  });

  it.each([
    [{ file: 'none.js' }, 'none.js does not exist'],
    [{ file: 'rules' }, 'rules is a folder; name a file in it'],
    [{ file: 'rules', integrity: 'sha256-aaaa' }, 'rules is a folder; name a file in it'],
    [{ file: 'empty.wasm', data: 'none.json' }, 'none.json does not exist'],
    [{ file: 'empty.js' }, 'exports no rule'],
    [{ package: 'nowhere', integrity: 'sha256-aaaa' }, 'it is not installed'],
    [{}, 'say either file or package'],
  ])('are refused with a reason: %j', async (pack, reason) => {
    write('empty.js', '');
    write('empty.wasm', '');
    write('rules/empty.js', '');
    await expect(check({ packs: [pack] })).rejects.toThrow(reason);
  });
});
