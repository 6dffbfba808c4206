import { execFileSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-packs-'));
  write(
    'castellan.yaml',
    'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: unified, displayName: Shoppers, theme: Red }\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const check = async (policy: object, base?: string) => {
  write(
    'castellan.policy.yaml',
    JSON.stringify({ version: 1, rules: { 'group-two-owners': 'off' }, ...policy }),
  );
  const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {}, base });
  return findings.map(
    ({ ruleId, message, location, severity }) =>
      `${location?.line ?? '-'} ${severity} ${ruleId}: ${message}`,
  );
};
const rule = (
  check: string,
  head = "const { defineRule } = require('castellan/policies');\nexports.rule =",
) => `${head} defineRule({
  id: 'no-red', title: 'No red.', why: 'Red is for alarms.', severity: 'warning', source: 'our style guide',
  sections: ['groups'], messages: { red: 'the theme is {given}' }, check(group, context) { ${check} } });\n`;
const report =
  "if (group.value.theme === 'Red') context.report({ messageId: 'red', path: ['theme'], parameters: { given: 'Red' } });";

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

  it('say where they cannot be read', async () => {
    write('red.ts', 'export const a = 1;\nexport const = 2;\n');
    await expect(check({ packs: [{ file: 'red.ts' }] })).rejects.toThrow(/red\.ts.*\(2:14\)/);
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

  it.each(['06', '07'])('run as a JSON Schema of draft %s', async (draft) => {
    const $schema = `http://json-schema.org/draft-${draft}/schema#`;
    write('old.json', JSON.stringify({ $schema, properties: { kind: { enum: ['security'] } } }));
    expect(await check({ packs: [{ file: 'old.json', section: 'groups' }] })).toEqual([
      '4 error old: kind must be "security"',
    ]);
  });

  it.each([
    ['throws', 'throw new Error("oops")', 'the rule no-red failed: oops'],
    ['never ends', 'for (;;);', 'the rules did not finish within 0.5 s'],
    ['ends the program', 'process.exit(3)', 'the rules ended the program with 3'],
    [
      'kills its parent',
      'process.kill(process.ppid, "SIGKILL")',
      "the rule no-red failed: rules can't send signals",
    ],
    [
      'starts a thread',
      "new (require('worker_threads').Worker)('1', { eval: true })",
      "the rule no-red failed: rules can't start threads",
    ],
    [
      'starts a loader',
      "require('module').register('data:text/javascript,')",
      "the rule no-red failed: rules can't start threads",
    ],
    [
      'answers in its place',
      "const fs = require('fs'); for (let fd = 3; fd < 30; fd++) try { if (fs.fstatSync(fd).isSocket()) fs.writeSync(fd, Buffer.from([0, 0, 0, 5, 255, 15, 34, 1, 65])); } catch {}",
      'the rules gave an answer that is none',
    ],
    [
      'loads native code',
      "process.binding('tcp_wrap')",
      "the rule no-red failed: rules can't load native code",
    ],
    [
      'lifts limits',
      "require('v8').setFlagsFromString('--stack-size=9999')",
      "the rule no-red failed: rules can't change flags of V8",
    ],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(Buffer.alloc(1e8, 1))',
      'the rules took more than 1024 MiB of memory, or were killed (SIGKILL)',
    ],
    [
      'says a message that it lacks',
      "context.report({ messageId: 'blue' })",
      'the rule no-red failed: it has no message "blue", only red',
    ],
    [
      'reports nothing',
      'context.report(null)',
      'the rule no-red failed: it has no message "undefined", only red',
    ],
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
  ])('cannot stop the check when one %s', async (name, body, reason) => {
    write('red.js', rule(body));
    const timeLimitSeconds = name === 'never ends' ? 0.5 : 30;
    expect(await check({ packs: [{ file: 'red.js', timeLimitSeconds }] })).toEqual([
      `1 error pack-failed: red.js: ${reason}`,
    ]);
  });

  it.each([
    [
      'reads a file',
      "require('fs').readFileSync(__dirname + '/castellan.yaml')",
      'use the file system',
      'fileSystem',
    ],
    [
      'writes a file',
      "require('node:fs').writeFileSync(__dirname + '/made', '')",
      'use the file system',
      'fileSystem',
    ],
    [
      'starts a program',
      "require('child_process').execFileSync('true')",
      'start programs',
      'childProcesses',
    ],
    [
      'calls an address',
      "require('net').connect(1, '127.0.0.1').on('error', () => {})",
      'use the network',
      'network',
    ],
    [
      'looks up a name',
      "process.getBuiltinModule('dns').lookup('localhost', () => {})",
      'use the network',
      'network',
    ],
    ['fetches', "void fetch('http://127.0.0.1:1').catch(() => {})", 'use the network', 'network'],
  ])(
    'have no access to other resources: one that %s needs a grant of the policy',
    async (_name, body, what, permission) => {
      write('red.js', rule(`${body}; ${report}`));
      const refused = `1 error pack-failed: red.js: the rule no-red failed: rules can't ${what}; where they must, the policy says so: allow: [${permission}]`;
      expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([refused]);
      expect(await check({ packs: [{ file: 'red.js', allow: [permission] }] })).toEqual([
        '4 warning no-red: the theme is Red',
      ]);
    },
  );

  it.runIf(isBuiltin('node:sqlite'))(
    'cannot open databases without a grant of the policy',
    async () => {
      const open = `new (process.getBuiltinModule('node:sqlite').DatabaseSync)(${JSON.stringify(join(folder, 'made.db'))});`;
      write('red.js', rule(`${open} ${report}`));
      expect((await check({ packs: [{ file: 'red.js' }] })).join()).toContain(
        "rules can't use the file system",
      );
      expect(await check({ packs: [{ file: 'red.js', allow: ['fileSystem'] }] })).toEqual([
        '4 warning no-red: the theme is Red',
      ]);
    },
  );

  it('see no environment, start no threads, and cannot reach the network in other ways', async () => {
    const doors = [
      'Object.keys(process.env).length',
      "(() => { try { new (require('worker_threads').Worker)('1', { eval: true }); return 'a thread'; } catch { return 0; } })()",
      "(() => { try { process.binding('tcp_wrap'); return 'a binding'; } catch { return 0; } })()",
      "(() => { try { require('net').Socket.prototype.connect = 1; Object.defineProperty(require('net').Socket.prototype, 'connect', { value: 1 }); return 'a patch'; } catch { return 0; } })()",
      "(() => { try { require('net').createServer()._listen2('127.0.0.1', 0, 4); return 'a server'; } catch { return 0; } })()",
      "(() => { try { require('net')._createServerHandle('127.0.0.1', 0, 4); return 'a handle'; } catch { return 0; } })()",
      "(() => { try { require('dgram')._createSocketHandle('127.0.0.1', 0, 'udp4'); return 'a socket'; } catch { return 0; } })()",
      "(() => { try { new process.stdout._handle.constructor(1).bind(__dirname + '/pipe'); return 'a pipe'; } catch { return 0; } })()",
      "(() => { try { require('trace_events').createTracing({ categories: ['node'] }); return 'a trace'; } catch { return 0; } })()",
    ];
    write(
      'red.js',
      rule(
        `context.report({ messageId: 'red', parameters: { given: [${doors.join(', ')}].join(' ') } });`,
      ),
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is 0 0 0 0 0 0 0 0 0',
    ]);
  });

  it.each([
    ['Array.prototype', 'Array.prototype.push = () => 0; Array.prototype.map = () => [];'],
    ['Object.prototype', 'Object.prototype.failures = [];'],
    ['Map.prototype', 'Map.prototype.get = () => undefined;'],
    ['JSON', "JSON.parse = () => []; JSON.stringify = () => '[]';"],
    ['globalThis', 'globalThis.JSON = { parse: () => [], stringify: String };'],
    [
      'process',
      'process.send?.({ findings: [], failures: [] }); process._send?.({ findings: [], failures: [] });',
    ],
  ])('report their failure even if they break %s', async (_name, spoil) => {
    write('red.js', rule(`${spoil} throw new Error('oops');`));
    expect((await check({ packs: [{ file: 'red.js' }] })).join()).toContain(
      'error pack-failed: red.js: ',
    );
    write('red.js', rule(`try { ${spoil} } catch {} ${report}`));
    expect(await check({ packs: [{ file: 'red.js' }] })).toHaveLength(1);
  });

  it('may pass inherited properties as values', async () => {
    const own = [
      "class Wrong extends Error { constructor() { super('x'); this.name = 'Wrong'; this.message = 'wrong'; } }",
      'function Old() {} Old.prototype.constructor = Old; Old.prototype.toString = () => new Wrong().name;',
      'const map = {}; map.toString = map.valueOf = 1;',
    ];
    write(
      'red.js',
      rule(
        `'use strict'; ${own.join('\n')} context.report({ messageId: 'red', parameters: { given: String(new Old()) } });`,
      ),
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is Wrong',
    ]);
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

  it('fail with a finding when they fail outside of their check, without a stack trace', async () => {
    // the timer is due when the pack is loaded, so that it ends before the check is asked for
    const timer =
      "setTimeout(() => { throw new Error('later'); }, 0);\nfor (const end = Date.now() + 20; Date.now() < end; );";
    write('red.js', `${timer}\n${rule(report)}`);
    const found = await check({ packs: [{ file: 'red.js' }] });
    expect(found.join()).toContain('the rules failed outside of their check: later');
    expect(found.join()).not.toMatch(/red\.js:\d|    at /);
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
    symlinkSync(join(folder, 'elsewhere/linked.js'), join(folder, 'node_modules/pack/linked.js'));
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
        cwd: folder,
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
    [{ file: 'empty.js' }, 'exports no rule'],
    [{ package: 'nowhere', integrity: 'sha256-aaaa' }, 'it is not installed'],
    [{}, 'say either file or package'],
  ])('are refused with a reason: %j', async (pack, reason) => {
    write('empty.js', '');
    await expect(check({ packs: [pack] })).rejects.toThrow(reason);
  });
});
