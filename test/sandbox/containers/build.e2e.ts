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
import { waitUntil } from '../../support/wait-until.js';

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

  const writeDockerfile = (version: string): void =>
    writeFileSync(
      join(folder, 'app/Dockerfile'),
      `FROM scratch\nCOPY server /server\nENV VERSION=${version}\nENTRYPOINT ["/server"]\nCMD ["serve", "8080"]\n`,
    );
  const fetchText = (url: string): Promise<string> =>
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
    const failedUp = await castellan(['up'], { cwd: folder });
    expect([failedUp.exitCode, failedUp.stderr]).toEqual([
      2,
      expect.stringMatching(/CAS4015 An image cannot be built: web from .*\/app[\s\S]*absent/),
    ]);
    await castellan(['sandbox', 'stop'], { cwd: folder });
    writeDockerfile('first');
    const child = spawn(process.execPath, [cliPath, 'up', '--watch'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', CI: '1' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const exit = new Promise((done) => child.once('close', done));
    try {
      await waitUntil(
        'watching',
        () => Promise.resolve(output.includes('watching') ? true : undefined),
        60_000,
      );
      const url = /https:\/\/web\S+/.exec(output)?.[0] ?? '';
      expect(await fetchText(url)).toContain('first');
      writeDockerfile('second');
      await waitUntil(
        `the second version in ${output}`,
        async () => ((await fetchText(url)).includes('second') ? true : undefined),
        60_000,
      );
      expect(output).toContain('app/Dockerfile changed');
      const line = /^[\d:]{8} built: no changes; web built again$/m;
      await waitUntil(
        'a line that says so',
        () => Promise.resolve(line.test(output) ? true : undefined),
        30_000,
      );
    } finally {
      child.kill('SIGINT');
      await exit;
    }
    expect(await engine.docker('ps', '-aq', '--filter', 'label=castellan.app=web')).toBe('');
  });
});
