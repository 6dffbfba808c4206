import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../sandbox/background/lock.js';
import { waitUntil } from '../support/wait-until.js';
import { castellan, cliPath } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-working-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });
const serverProgram = (text: string): string =>
  `console.log('${text} started'); require('http').createServer((request, response) => response.end('${text}')).listen(process.env.PORT)`;

beforeAll(async () => {
  await run('init', 'app-with-sign-in', '--name', 'shop');
  const file = join(project, 'castellan.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      /sandbox: \{ page: true \}.*/,
      'sandbox: { command: node server.js }',
    ),
  );
  writeFileSync(join(project, 'server.js'), serverProgram('one'));
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request to a name below localhost, which not every resolver knows. */
function get(url: string, ca: string, headers: Record<string, string>): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((done, fail) => {
    const outgoing = request(
      { host: '127.0.0.1', port, servername: hostname, ca, path: `${pathname}${search}`, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => done({ headers: answer.headers, text }));
      },
    );
    outgoing.once('error', fail);
    outgoing.end();
  });
}

/**
 * Follows redirects with the cookies of each host, as a browser does, and gives the last answer.
 */
async function browse(first: string): Promise<{ readonly url: string; readonly text: string }> {
  const jar = new Map<string, string>();
  const ca = readFileSync(join(project, '.castellan/ca.pem'), 'utf8');
  let url = first;
  for (let hop = 0; hop < 15; hop++) {
    const { host } = new URL(url);
    const cookies = [...jar]
      .filter(([key]) => key.startsWith(`${host} `))
      .map(([key, value]) => `${key.split(' ')[1] ?? ''}=${value}`);
    const answer = await get(url, ca, { cookie: cookies.join('; '), host, accept: 'text/html' });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(`${host} ${name}`, value);
    }
    const { location } = answer.headers;
    if (location === undefined) return { url, text: answer.text };
    url = new URL(location, url).href;
  }
  throw new Error('too many redirects');
}

describe('the sandbox during development', () => {
  it('explains how to add a missing person', async () => {
    writeFileSync(
      join(project, 'castellan.linus.yaml'),
      'principals: { ada: { user: linus@contoso.example } }\n',
    );
    const withoutPerson = await run('up', '-e', 'linus');
    expect([withoutPerson.exitCode, withoutPerson.stderr]).toEqual([
      2,
      expect.stringContaining('castellan sandbox seed -e linus --person linus@contoso.example'),
    ]);
    expect(
      (await run('sandbox', 'seed', '-e', 'linus', '--person', 'linus@contoso.example')).exitCode,
    ).toBe(0);
    expect((await run('up', '-e', 'linus')).exitCode).toBe(0);
  });

  it('waits with `castellan up` until another one has applied', async () => {
    writeFileSync(
      join(project, 'castellan.linus.yaml'),
      'principals: { ada: { user: linus@contoso.example } }\ngroups: { shop-users: { description: Changed } }\n',
    );
    const upTwice = [1, 2].map(() => castellan(['up', '-e', 'linus'], { cwd: project }));
    const results = await Promise.all(upTwice);
    expect(results.map(({ exitCode, stderr }) => (exitCode === 0 ? 'done' : stderr))).toEqual([
      'done',
      'done',
    ]);
    expect(results.filter(({ stdout }) => stdout.includes('shop: no changes'))).toHaveLength(1);
    expect(
      results.filter(({ stderr }) => stderr.includes('another castellan works on')),
    ).toHaveLength(1);
    expect(JSON.parse((await run('down', '--all', '-e', 'linus', '--json')).stdout)).toMatchObject({
      stacks: [
        {
          stack: 'shop',
          changes: expect.arrayContaining([expect.objectContaining({ action: 'delete' })]),
        },
      ],
      sandbox: 'stopped',
    });
  });

  it('waits with a snapshot until a `castellan up` has applied', async () => {
    expect((await run('sandbox', 'start')).exitCode).toBe(0);
    const lock = takeLock(join(project, '.castellan/apply.lock'));
    const saving = spawn(process.execPath, [cliPath, 'sandbox', 'save', 'between'], {
      cwd: project,
      env: { ...process.env, NO_COLOR: '1', CI: '1' },
    });
    const ended = new Promise((done) => saving.once('close', done));
    let [stdout, stderr] = ['', ''];
    saving.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    saving.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await waitUntil('it waits', () =>
      Promise.resolve(stderr.includes('another castellan works on') || undefined),
    );
    expect((await run('sandbox', 'list')).stdout).toBe('nothing is saved\n');
    lock?.release();
    await ended;
    expect(stdout).toBe('between: saved\n');
  });

  it('names the stacks that stay applied and depend on a destroyed one', async () => {
    const group = (name: string, more: string): string =>
      `version: 1\nstack: ${name}\n${more}principals: { ada: { user: ada@contoso.example } }\ngroups:\n  ${name}: { kind: security, displayName: ${name}, description: ${name}, mailNickname: ${name}, owners: [ada], members: [ada] }\n`;
    for (const [name, more] of [
      ['base', ''],
      ['above', 'dependsOn: [base]\n'],
    ] as const) {
      mkdirSync(join(project, name));
      writeFileSync(join(project, name, 'castellan.yaml'), group(name, more));
    }
    expect((await run('up', 'base', 'above')).exitCode).toBe(0);
    const warning =
      'castellan: above depends on base and stays applied: `castellan down above/castellan.yaml` destroys it\n';
    expect((await run('down', 'base')).stderr).toContain(warning);
    expect((await run('down', 'base', 'above')).stderr).not.toContain('stays applied');
    for (const name of ['base', 'above']) rmSync(join(project, name), { recursive: true });
  });

  it('prints the output of an app', async () => {
    const { exitCode, stdout } = await run('up', '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      {
        version: 1,
        stacks: [
          {
            stack: 'shop',
            clean: false,
            changes: expect.arrayContaining([expect.objectContaining({ action: 'create' })]),
          },
        ],
        apps: [
          expect.objectContaining({
            name: 'shop',
            state: 'running',
            url: expect.stringMatching(/^https:\/\/shop\.localhost:/),
          }),
        ],
        sandbox: {
          origin: expect.any(String),
          console: expect.any(String),
          caFile: join(project, '.castellan/ca.pem'),
        },
      },
    ]);
    expect((await run('logs', 'shop', '--since', '10m')).stdout).toMatch(/^\S+Z 0 one started$/m);
    expect((await run('logs', 'shp')).stderr).toContain('did you mean "shop"?');
  });

  it('opens an app by a link that signs a person in', async () => {
    const { stdout } = await run('open', '--print', '--person', 'ada@contoso.example');
    const page = await browse(stdout.trim());
    expect(page.text).toBe('one');
    expect((await browse(stdout.trim().replace('ada%40', 'eve%40'))).text).toContain(
      'castellan sandbox seed --person eve@contoso.example',
    );
  });

  it('lists the transactions of an invoice that was seeded', async () => {
    writeFileSync(
      join(project, 'billing.yaml'),
      'billing: [{ billingAccount: "1234", invoice: G000000001, generate: { count: 3, seed: 1 } }]\n',
    );
    await run('sandbox', 'seed', 'billing.yaml');
    const result = await run(
      'billing',
      'transactions',
      '--account',
      '1234',
      '--invoice',
      'G000000001',
    );
    expect([result.exitCode, result.stderr]).toEqual([
      0,
      expect.stringMatching(/^asking the sandbox at .*\n3 transactions\n$/s),
    ]);
  });

  it('restarts the app when its files change, and prints its output', async () => {
    const child = spawn(process.execPath, [cliPath, 'dev', 'shop'], { cwd: project });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    try {
      await waitUntil('it watches', () =>
        Promise.resolve(output.includes('watching') || undefined),
      );
      writeFileSync(join(project, 'server.js'), serverProgram('two'));
      await waitUntil('it started again', () =>
        Promise.resolve(output.includes('two started') || undefined),
      );
    } finally {
      child.kill('SIGINT');
      await new Promise((done) => child.once('close', done));
    }
    expect(output).toContain('sign-in-as/ada%40contoso.example');
  });
});
