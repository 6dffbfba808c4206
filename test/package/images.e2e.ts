import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../support/cli.js';
import {
  canRunContainers,
  startContainerEngine,
  type TestEngine,
} from '../support/container-engine.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-images-'));
let engine: TestEngine;

/**
 * An image of programs of this machine and the libraries that they load: the base that a machine
 * without a registry can have.
 */
async function baseImage(name: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const context = mkdtempSync(join(folder, 'base-'));
  const copyIntoContext = (from: string, to: string): void => {
    mkdirSync(join(context, 'files', dirname(to)), { recursive: true });
    cpSync(realpathSync(from), join(context, 'files', to));
  };
  for (const [to, program] of Object.entries(programs)) {
    copyIntoContext(program, to);
    const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(
      /(\/\S+) \(0x/g,
    );
    for (const [, library = ''] of libraries) copyIntoContext(library, library);
  }
  writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY files /\n');
  await engine.docker('build', '-q', '-t', name, context);
}

const pathOf = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

async function buildImage(name: string, file: string, base: string): Promise<void> {
  await engine.docker(
    'build',
    '-q',
    '-t',
    name,
    '-f',
    join(folder, file),
    '--build-arg',
    `BASE=${base}`,
    folder,
  );
}

(canRunContainers ? describe : describe.skip)('the images', () => {
  beforeAll(async () => {
    engine = await startContainerEngine();
    cpSync(join(root, 'packages'), join(folder, 'packages'), { recursive: true });
    for (const file of ['Dockerfile', 'Dockerfile.ci', '.dockerignore'])
      cpSync(join(root, file), join(folder, file));
    await baseImage('castellan-base:node', { '/nodejs/bin/node': process.execPath });
    const tools = Object.fromEntries(
      ['sh', 'ln', 'git', 'env'].map((name) => [`/usr/bin/${name}`, pathOf(name)]),
    );
    await baseImage('castellan-base:ci', {
      ...tools,
      '/bin/sh': pathOf('sh'),
      '/usr/local/bin/node': process.execPath,
    });
  });

  afterAll(async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the image of the sidecar runs without root and on a read-only file system, guards an app, and ends cleanly', async () => {
    const app = createServer((_request, response) => response.end('the app')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((done) => app.once('listening', done));
    const auth = join(folder, 'auth');
    mkdirSync(auth);
    writeFileSync(
      join(auth, 'auth.yaml'),
      [
        'globalValidation: { unauthenticatedClientAction: Return401, excludedPaths: [/public] }',
        'identityProviders:',
        '  gitHub: { registration: { clientId: Iv1.0123456789abcdef, clientSecretSettingName: code-host-secret } }',
        '',
      ].join('\n'),
    );
    await buildImage('castellan-sidecar:test', 'Dockerfile', 'castellan-base:node');

    // Node 20 has no SQLite of its own, as the published base does
    const store = isBuiltin('node:sqlite') ? [] : ['--token-store', 'memory:'];
    const upstream = `http://127.0.0.1:${String((app.address() as AddressInfo).port)}`;
    const listen = [
      '--upstream',
      upstream,
      '--listen',
      '127.0.0.1:0',
      '--admin-listen',
      '127.0.0.1:0',
      '--config',
      '/etc/castellan/auth.yaml',
      ...store,
    ];
    const container = [
      '--read-only',
      '--network',
      'host',
      '-v',
      `${auth}:/etc/castellan:ro`,
      '-e',
      'CODE_HOST_SECRET=none',
    ];
    const id = await engine.docker('run', '-d', ...container, 'castellan-sidecar:test', ...listen);
    const started = await firstLine(id);
    const { listening, admin } = JSON.parse(started) as { listening: string; admin: string };

    const status = async (url: string): Promise<number> =>
      (await fetch(url, { redirect: 'manual' })).status;
    expect(await status(`${listening}/`)).toBe(401);
    expect(await (await fetch(`${listening}/public`)).text()).toBe('the app');
    expect(await status(`${admin}/healthz`)).toBe(200);
    const pid = await engine.docker('inspect', '--format', '{{.State.Pid}}', id);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t65532\t/m);

    await engine.docker('stop', '-t', '20', id);
    expect(await engine.docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
    await engine.docker('rm', '-v', id);
    app.close();
  });

  it('the image for CI checks a configuration, and compares with a commit', async () => {
    await buildImage('castellan-ci:test', 'Dockerfile.ci', 'castellan-base:ci');
    const project = join(folder, 'project');
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args], {
        cwd: project,
        stdio: 'ignore',
      });
    mkdirSync(project);
    const groups = (nickname: string): string =>
      `version: 1\nstack: shop\nprincipals: { ada: { user: a@x.example }, bob: { user: b@x.example } }\ngroups:\n  shoppers: { kind: unified, displayName: Shoppers, mailNickname: ${nickname}, owners: [ada, bob] }\n`;
    writeFileSync(join(project, 'castellan.yaml'), groups('shoppers'));
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'Declare a group');
    const run = (...args: string[]): Promise<string> =>
      engine.docker(
        'run',
        '--rm',
        '--network',
        'none',
        '-v',
        `${project}:/src`,
        '-w',
        '/src',
        'castellan-ci:test',
        ...args,
      );
    expect(await run()).toMatch(/0 errors/);
    writeFileSync(join(project, 'castellan.yaml'), groups('"shop pers"'));
    await expect(run()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('group-mail-nickname') as string,
    });
    await expect(run('castellan', 'check', '--base', 'main')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('group-mail-nickname (new)') as string,
    });
  });
});

/** The line that says where a container listens. */
async function firstLine(id: string): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(200)) {
    const [line] = (await engine.docker('logs', id))
      .split('\n')
      .filter((each) => each.startsWith('{"listening"'));
    if (line !== undefined) return line;
    if ((await engine.docker('inspect', '--format', '{{.State.Running}}', id)) === 'false') break;
  }
  throw new Error(
    `the container does not listen: ${execFileSync('docker', ['logs', id], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })}`,
  );
}
