import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, cliPath } from '../../support/cli.js';
import {
  canRunContainers,
  startContainerEngine,
  type TestEngine,
} from '../../support/container-engine.js';
import { waitUntil } from '../e2e-support.js';

const configuration = `version: 1
stack: built
azure: { location: westeurope }
containerApps:
  web:
    image: ghcr.io/contoso/web:1.0.0
    targetPort: 8080
    replicas: { min: 1, max: 1 }
    ingress: { external: true } # castellan-ignore auth-public-app reason="a test" owner=tests until=2030-01-31
    sandbox: { build: ./app }
`;

(canRunContainers ? describe : describe.skip)('an app that is built from its Dockerfile', () => {
  let engine: TestEngine;
  let folder: string;
  beforeAll(async () => {
    engine = await startContainerEngine();
    folder = mkdtempSync(join(tmpdir(), 'castellan-built-'));
    mkdirSync(join(folder, 'app'));
    cpSync(engine.program, join(folder, 'app/server'));
    writeFileSync(join(folder, 'castellan.yaml'), configuration);
  });
  afterAll(async () => {
    await castellan(['down', '--all'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
    await engine.stop();
  });

  const dockerfile = (version: string): void =>
    writeFileSync(
      join(folder, 'app/Dockerfile'),
      `FROM scratch\nCOPY server /server\nENV VERSION=${version}\nENTRYPOINT ["/server"]\nCMD ["serve", "8080"]\n`,
    );
  const answer = (url: string): Promise<string> =>
    new Promise((done) => {
      const { port, host, hostname } = new URL(url);
      const options = {
        host: '127.0.0.1',
        port,
        servername: hostname,
        headers: { host },
        rejectUnauthorized: false,
      };
      request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => done(text));
      })
        .once('error', (error) => done(error.message))
        .end();
    });

  test('is built by up, rebuilt by up --watch, and a build that fails says why', async () => {
    writeFileSync(join(folder, 'app/Dockerfile'), 'FROM scratch\nCOPY absent /absent\n');
    const failed = await castellan(['up'], { cwd: folder });
    expect([failed.exitCode, failed.stderr]).toEqual([
      2,
      expect.stringMatching(/CAS4015 An image cannot be built: web from .*\/app[\s\S]*absent/),
    ]);
    await castellan(['sandbox', 'stop'], { cwd: folder });
    dockerfile('first');
    const child = spawn(process.execPath, [cliPath, 'up', '--watch'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', CI: '1' },
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text));
    const ended = new Promise((done) => child.once('close', done));
    try {
      await waitUntil(
        'watching',
        () => Promise.resolve(out.includes('watching') ? true : undefined),
        60_000,
      );
      const url = /https:\/\/web\S+/.exec(out)?.[0] ?? '';
      expect(await answer(url)).toContain('first');
      dockerfile('second');
      await waitUntil(
        `the second version in ${out}`,
        async () => ((await answer(url)).includes('second') ? true : undefined),
        60_000,
      );
      expect(out).toContain('app/Dockerfile changed');
      const line = /^[\d:]{8} built: no changes; web built again$/m;
      await waitUntil(
        'a line that says so',
        () => Promise.resolve(line.test(out) ? true : undefined),
        30_000,
      );
    } finally {
      child.kill('SIGINT');
      await ended;
    }
    expect(await engine.docker('ps', '-aq', '--filter', 'label=castellan.app=web')).toBe('');
  });
});
