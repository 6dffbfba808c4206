import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { root } from '../support/cli.js';
import { packedSmallPackages, quietNpm } from '../support/installed-package.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'castellan-small-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the examples: the sandbox of this checkout, if one runs, is no concern of a test. */
const checkout = join(folder, 'checkout');

const bin = (name: string): string => join(folder, 'node_modules/.bin', name);
const env = { ...process.env, NO_COLOR: '1', CI: '1' };

/** Runs the `castellan` of castellan-check. */
async function runSmallCastellan(
  args: readonly string[],
  cwd: string,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  try {
    return {
      exitCode: 0,
      ...(await run(process.execPath, [bin('castellan'), ...args], { cwd, env })),
    };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}

const withoutTimes = (text: string): string => text.replace(/\([\d.]+ s\)/g, '');

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}

beforeAll(async () => {
  const { check, sidecar } = await packedSmallPackages();
  cpSync(join(root, 'examples'), join(checkout, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // without better-sqlite3, which Node 20 would compile
  await run('npm', ['install', '--silent', '--omit=optional', check, sidecar], {
    cwd: folder,
    env: { ...process.env, ...quietNpm },
  });
});

describe('castellan-check', () => {
  const packageFolder = (): string => join(folder, 'node_modules/castellan-check');

  it('is a few megabytes in its own folder, without native code', () => {
    const files = filesBelow(packageFolder());
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([]);
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(8_000_000);
    expect(existsSync(join(folder, 'node_modules/cdktf'))).toBe(false);
  });

  it.each([
    'check examples/storefront',
    'check examples/storefront --format json',
    'check no-such-folder',
    'explain group-two-owners',
    'rules list',
    'test examples/own-rules',
    'schema',
    'access examples/storefront --person ada@contoso.example',
    'graph examples/storefront',
    'graph examples/storefront --format svg',
    'suppress list examples/storefront',
  ])('answers %s like castellan', async (command) => {
    const words = command.split(' ');
    const [smallResult, fullResult] = [
      await runSmallCastellan(words, checkout),
      await runCliWithTestEnvironment(words, { cwd: checkout }),
    ];
    const withoutVaryingParts = ({
      exitCode,
      stdout,
      stderr,
    }: {
      exitCode: number | null;
      stdout: string;
      stderr: string;
    }): unknown => ({
      exitCode,
      stdout: withoutTimes(stdout).replace(/"(milliseconds|seconds|durationMs)": ?[\d.]+/g, ''),
      stderr: withoutTimes(stderr),
    });
    expect(withoutVaryingParts(smallResult)).toEqual(withoutVaryingParts(fullResult));
  });

  it('answers who gets in beside a killed sandbox, without SQLite', async () => {
    const project = join(folder, 'killed');
    cpSync(join(root, 'examples/storefront'), project, { recursive: true });
    mkdirSync(join(project, '.castellan'));
    writeFileSync(join(project, '.castellan/sandbox.lock'), '');
    writeFileSync(join(project, '.castellan/sandbox.json'), JSON.stringify({ pid: 999_999_999 }));
    expect(
      await runSmallCastellan(['access', '--person', 'ada@contoso.example'], project),
    ).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });

  it('answers who gets in from the running sandbox, without SQLite', async () => {
    const project = join(folder, 'running');
    cpSync(join(root, 'examples/storefront'), project, { recursive: true });
    const runFull = (...args: string[]) => runCliWithTestEnvironment(args, { cwd: project });
    expect(await runFull('up')).toMatchObject({ exitCode: 0 });
    try {
      const words = ['access', '--people'];
      const answer = await runSmallCastellan(words, project);
      expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
      expect(answer).toEqual(await runFull(...words));
    } finally {
      await runFull('sandbox', 'stop');
    }
  });

  it('answers from a snapshot like castellan', async () => {
    const file = join(folder, 'people.yaml');
    const user = (name: string): string =>
      `- {"id":"${name.repeat(8)}-0000-4000-8000-000000000000","userPrincipalName":"${name}@contoso.example","department":"Retail"}`;
    const part =
      '- {"people":"all","properties":["department","userPrincipalName"],"directReportsOf":[]}';
    writeFileSync(file, `snapshot:\n${part}\nusers:\n${user('a')}\n${user('b')}\ngroups: []\n`);
    const args = ['access', 'examples/storefront', '--from', file, '--people'];
    const smallResult = await runSmallCastellan(args, checkout);
    expect(smallResult.stdout).toContain('by the directory: 2 people\n');
    expect(smallResult).toEqual(await runCliWithTestEnvironment(args, { cwd: checkout }));
  });

  it('creates a project for checks only, with a workflow that uses this package', async () => {
    const project = join(folder, 'started');
    mkdirSync(project);
    expect(
      (await runSmallCastellan(['init', 'policy-only', '--name', 'rules'], project)).stdout,
    ).toMatch(/Next:\n {2}(npx )?castellan check\n/);
    expect((await runSmallCastellan(['check'], project)).exitCode).toBe(0);
    const [, words] =
      /npx --yes --prefix "\$RUNNER_TEMP" (.*)/.exec(
        readFileSync(join(project, '.github/workflows/castellan.yml'), 'utf8'),
      ) ?? [];
    expect(words).toMatch(
      /^castellan-check@\d+\.\d+\.\d+ check --base "\$BASE" --fail-on-unset --format github$/,
    );
    expect(
      await run(bin('castellan-check'), ['check', '--format', 'github'], { cwd: project, env }),
    ).toMatchObject({ stderr: '' });
  });

  it('fixes a file like castellan', async () => {
    const project = join(folder, 'project');
    cpSync(join(root, 'examples/storefront'), project, { recursive: true });
    const file = join(project, 'castellan.yaml');
    await run('sed', ['-i', 's/description:/descripton:/', file]);
    expect((await runSmallCastellan(['check'], project)).exitCode).toBe(1);
    await runSmallCastellan(['fix'], project);
    expect((await runSmallCastellan(['check'], project)).exitCode).toBe(0);
  });

  it('says which package has the other commands', async () => {
    expect(await runSmallCastellan(['synth'], folder)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the package castellan has the others') as string,
    });
  });
});

describe('castellan-sidecar', () => {
  const app = createServer((request, response) =>
    response.end(`hello ${request.headers['x-svc-client-principal-name'] ?? 'you'}`),
  );
  beforeAll(() => new Promise<void>((done) => app.listen(0, '127.0.0.1', done)));
  afterAll(() => app.close());

  it.each([
    ['castellan-sidecar', []],
    ['castellan-sidecar', ['serve', 'sidecar']],
  ])('runs as %s %j in front of an app', async (name, words) => {
    const config = join(folder, 'auth.json');
    writeFileSync(
      config,
      JSON.stringify({
        platform: { enabled: true },
        globalValidation: { unauthenticatedClientAction: 'Return401' },
      }),
    );
    const upstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const args = [
      ...words,
      '--config',
      config,
      '--upstream',
      upstream,
      '--listen',
      '127.0.0.1:0',
      '--token-store',
      'memory:',
    ];
    const sidecar = spawn(process.execPath, [bin(name), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((done) =>
      createInterface({ input: sidecar.stdout }).once('line', done),
    );
    const { listening } = JSON.parse(line) as { listening: string };
    expect((await fetch(listening)).status).toBe(401);
    const ended = new Promise<number | null>((done) => sidecar.once('exit', done));
    sidecar.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.each([
    ['redis://127.0.0.1:1', 'ECONNREFUSED'],
    ['postgres://127.0.0.1:1/x', 'ECONNREFUSED'],
  ])('contains what %s needs', async (store, reason) => {
    const config = join(folder, 'auth.json');
    const args = [
      '--config',
      config,
      '--upstream',
      'http://127.0.0.1:1',
      '--listen',
      '127.0.0.1:0',
      '--token-store',
      store,
    ];
    const sidecar = spawn(process.execPath, [bin('castellan-sidecar'), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    sidecar.stderr.on('data', (text: Buffer) => (output += text.toString()));
    sidecar.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const timer = setTimeout(() => sidecar.kill(), 10_000);
    await new Promise((done) => {
      sidecar.once('exit', done);
      const poll = setInterval(
        () => output.includes(reason) && (clearInterval(poll), sidecar.kill()),
        50,
      );
      sidecar.once('exit', () => clearInterval(poll));
    });
    clearTimeout(timer);
    expect(output).toContain(reason);
  });

  it('is a megabyte or two', () => {
    expect(
      filesBelow(join(folder, 'node_modules/castellan-sidecar')).reduce(
        (sum, file) => sum + statSync(file).size,
        0,
      ),
    ).toBeLessThan(2_000_000);
  });
});
