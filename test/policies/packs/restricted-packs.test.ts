import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../policies/check/run-check.js';
import { report, rule, usePackProject } from './support/pack-project.js';

const project = usePackProject();
const { check, write } = project;

describe('rules of your own, in a process of their own', () => {
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
      'kills its parent by a function of Node itself',
      'process._kill(process.ppid, 9)',
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

  it('may not read what is beside a file that they name by its whole path', async () => {
    write(
      'red.js',
      `// from '/etc/hostname'\n${rule("require('fs').readFileSync('/etc/passwd');")}`,
    );
    expect((await check({ packs: [{ file: 'red.js' }] })).join()).toContain(
      "rules can't use the file system",
    );
  });

  it('may not read a file that is no module, although they import it', async () => {
    write('secret.pem', 'key\n');
    write(
      'red.js',
      `// from './secret.pem'\n${rule("require('fs').readFileSync(__dirname + '/secret.pem');")}`,
    );
    expect((await check({ packs: [{ file: 'red.js' }] })).join()).toContain(
      "rules can't use the file system",
    );
  });

  it.each([
    ['by its path', "from '../beside/secret.json'", '../beside/secret.json'],
    ['through a link', "from './link.json'", './link.json'],
    [
      'through a link to its folder as a package',
      "from 'linked/secret.json'",
      'linked/secret.json',
    ],
  ])('may not read a file outside the repository %s', async (_name, comment, path) => {
    const outside = mkdtempSync(join(tmpdir(), 'castellan-outside-'));
    mkdirSync(join(outside, 'repository/.git'), { recursive: true });
    mkdirSync(join(outside, 'repository/node_modules'));
    mkdirSync(join(outside, 'beside'));
    writeFileSync(join(outside, 'beside/secret.json'), '"s3cret"');
    symlinkSync(join(outside, 'beside/secret.json'), join(outside, 'repository/link.json'));
    symlinkSync(join(outside, 'beside'), join(outside, 'repository/node_modules/linked'));
    const read = `throw new Error(require('${path}'));`;
    writeFileSync(join(outside, 'repository/red.js'), `// ${comment}\n${rule(read)}`);
    cpSync(join(project.folder, 'castellan.yaml'), join(outside, 'repository/castellan.yaml'));
    writeFileSync(
      join(outside, 'repository/castellan.policy.yaml'),
      JSON.stringify({ version: 1, packs: [{ file: 'red.js' }] }),
    );
    const { findings } = await runCheck({
      paths: ['.'],
      cwd: join(outside, 'repository'),
      env: {},
    });
    const messages = findings.map(({ message }) => message).join('\n');
    expect(messages).toContain('red.js');
    expect(messages).not.toContain('s3cret');
    rmSync(outside, { recursive: true });
  });

  it('may import a module by its whole path', async () => {
    write('words.js', "exports.colour = 'Red';\n");
    const words = JSON.stringify(join(project.folder, 'words.js'));
    write('red.js', `const { colour } = require(${words});\n${rule(`if (colour) { ${report} }`)}`);
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is Red',
    ]);
  });

  it.runIf(isBuiltin('node:sqlite'))(
    'cannot open databases without a grant of the policy',
    async () => {
      const open = `new (process.getBuiltinModule('node:sqlite').DatabaseSync)(${JSON.stringify(join(project.folder, 'made.db'))});`;
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
    const attempts = [
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
        `context.report({ messageId: 'red', parameters: { given: [${attempts.join(', ')}].join(' ') } });`,
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
    const declarations = [
      "class Wrong extends Error { constructor() { super('x'); this.name = 'Wrong'; this.message = 'wrong'; } }",
      'function Old() {} Old.prototype.constructor = Old; Old.prototype.toString = () => new Wrong().name;',
      'const map = {}; map.toString = map.valueOf = 1;',
    ];
    write(
      'red.js',
      rule(
        `'use strict'; ${declarations.join('\n')} context.report({ messageId: 'red', parameters: { given: String(new Old()) } });`,
      ),
    );
    expect(await check({ packs: [{ file: 'red.js' }] })).toEqual([
      '4 warning no-red: the theme is Wrong',
    ]);
  });

  it('fail with a finding when they fail outside of their check, without a stack trace', async () => {
    // the timer is due when the pack is loaded, so that it ends before the check is asked for
    const timer =
      "setTimeout(() => { throw new Error('later'); }, 0);\nfor (const end = Date.now() + 20; Date.now() < end; );";
    write('red.js', `${timer}\n${rule(report)}`);
    const messages = await check({ packs: [{ file: 'red.js' }] });
    expect(messages.join()).toContain('the rules failed outside of their check: later');
    expect(messages.join()).not.toMatch(/red\.js:\d|    at /);
  });
});
