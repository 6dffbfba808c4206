import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppStatus } from '../../../sandbox/hosting/app-status.js';
import { castellan } from '../../support/cli.js';
import { startPrivateRegistry } from '../../support/private-registry.js';
import {
  canRunContainers,
  startContainerEngine,
  type TestEngine,
} from '../../support/container-engine.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  type Answer,
  authSettings,
  putApp,
  registerApplication,
  startSandbox,
  type TestSandbox,
} from '../e2e-support.js';

const smallResources = { cpu: 0.25, memory: '0.5Gi' };
const oneReplica = { minReplicas: 1, maxReplicas: 1 };

(canRunContainers ? describe : describe.skip)('apps in containers', () => {
  let engine: TestEngine;
  let sandbox: TestSandbox;
  beforeAll(async () => {
    engine = await startContainerEngine();
    await engine.buildImage('castellan-test:1', ['serve', '8080'], ['ENV VERSION=one']);
    await engine.buildImage('castellan-test:2', ['serve', '8080'], ['ENV VERSION=two']);
    sandbox = await startSandbox();
  });
  afterAll(async () => {
    await sandbox.stop();
    const remainingContainers = await engine
      .docker('ps', '-aq', '--filter', 'label=castellan.project')
      .finally(() => engine.stop());
    expect(remainingContainers).toBe('');
  });

  const get = (host: string, path = '/'): Promise<Answer> =>
    sandbox.send('GET', `https://${host}.localhost:${sandbox.settings.port}${path}`);
  const waitForAnswer = (host: string, path: string, text: string | RegExp): Promise<Answer> =>
    waitUntil(`${host}${path} ${String(text)}`, async () => {
      const answer = await get(host, path);
      return (typeof text === 'string' ? answer.text.includes(text) : text.test(answer.text))
        ? answer
        : undefined;
    });
  const container = (properties: object = {}): object => ({
    name: 'main',
    image: 'castellan-test:1',
    resources: smallResources,
    ...properties,
  });
  const idsToDelete = new Set<string>();
  const declare = async (
    name: string,
    template: object,
    configuration: object = {},
  ): Promise<string> => {
    const id = await putApp(sandbox, name, {
      template: { containers: [container()], scale: oneReplica, ...template },
      configuration: { ingress: { external: true, targetPort: 8080 }, ...configuration },
    });
    if (name !== 'plain') idsToDelete.add(id);
    return id;
  };
  afterEach(async () => {
    // an app that keeps failing, or being probed, would slow down the tests that follow
    await Promise.all(
      [...idsToDelete].map((id) => sandbox.api('DELETE', `${id}?api-version=2025-07-01`)),
    );
    idsToDelete.clear();
  });
  const status = async (name: string): Promise<AppStatus> => {
    const headers = { authorization: `Bearer ${sandbox.settings.adminToken}` };
    const { body } = await sandbox.send('GET', `${sandbox.origin}/_castellan/status`, { headers });
    return (body as { apps: AppStatus[] }).apps.find((app) => app.name === name) as AppStatus;
  };
  const untilState = (
    name: string,
    state: AppStatus['state'],
    replicas?: number,
  ): Promise<AppStatus> =>
    waitUntil(`${name} is ${state}`, async () => {
      const current = await status(name);
      return current.state === state && (replicas === undefined || current.replicas === replicas)
        ? current
        : undefined;
    });
  const containersOf = async (app: string, name = 'main'): Promise<string[]> =>
    (await engine.docker('ps', '--format', '{{.Names}}', '--filter', `label=castellan.app=${app}`))
      .split('\n')
      .filter((each) => each.endsWith(`-${name}`));
  const containerOf = async (app: string, name?: string): Promise<string> =>
    (await containersOf(app, name))[0] ?? '';

  test('an app runs its image with its environment, secrets, cpu and memory', async () => {
    const key = '-----BEGIN KEY-----\nline\n-----END KEY-----';
    const env = [
      { name: 'GREETING', value: 'hello # there' },
      { name: 'KEY', secretRef: 'key' },
      { name: 'PATH', value: '/nowhere' },
      { name: 'DOCKER_HOST', value: 'tcp://elsewhere' },
    ];
    await declare(
      'plain',
      { containers: [container({ env, resources: { cpu: 0.5, memory: '1Gi' } })] },
      { secrets: [{ name: 'key', value: key }] },
    );
    await waitForAnswer('plain', '/env/GREETING', 'hello # there');
    expect((await get('plain', '/env/KEY')).text).toBe(key);
    expect((await get('plain', '/env/PATH')).text).toBe('/nowhere');
    expect((await get('plain', '/env/DOCKER_HOST')).text).toBe('tcp://elsewhere');
    expect((await get('plain', '/env/CONTAINER_APP_NAME')).text).toBe('plain');
    const limits = await engine.docker(
      'inspect',
      '--format',
      '{{.HostConfig.NanoCpus}} {{.HostConfig.Memory}}',
      await containerOf('plain'),
    );
    expect(limits).toBe(`500000000 ${1024 ** 3}`);
    expect(await status('plain')).toMatchObject({ state: 'running', runs: 'image', replicas: 1 });
  });

  test('a killed replica is restarted, and its status is correct meanwhile', async () => {
    await engine.docker('kill', await containerOf('plain'));
    expect(await untilState('plain', 'failed', 0)).toMatchObject({
      detail: expect.stringContaining('exit code 137'),
    });
    await untilState('plain', 'running', 1);
    expect((await get('plain', '/env/GREETING')).status).toBe(200);
    expect((await castellan(['status'], { cwd: sandbox.folder })).stdout).toMatch(
      /plain {2}https:\S+ {2}running, image, 1 replica$/m,
    );
  });

  test('an app that ends by itself is started again after a pause, and its log says why', async () => {
    await get('plain', '/exit');
    await untilState('plain', 'failed');
    await waitForAnswer('plain', '/env/GREETING', 'hello');
    const { stdout } = await castellan(['logs', 'plain'], { cwd: sandbox.folder });
    expect(stdout).toContain('ended (exit code 3): falling over; it is started again in');
  });

  test('a replica whose network is removed is replaced', async () => {
    const network = (
      await engine.docker('ps', '--format', '{{.Names}}', '--filter', 'label=castellan.app=plain')
    )
      .split('\n')
      .find((name) => name.endsWith('--network')) as string;
    await engine.docker('rm', '-f', network);
    await untilState('plain', 'failed');
    await waitForAnswer('plain', '/env/GREETING', 'hello');
  });

  test('a container that exceeds its memory is ended, and the reason is reported', async () => {
    await get('plain', '/grow');
    expect(await untilState('plain', 'failed')).toMatchObject({
      detail: expect.stringMatching(/memory than its limit allows \(1 Gi\)|exit code/),
    });
    await untilState('plain', 'running');
  });

  test('an image of a private registry is pulled only with the credentials that the app declares', async () => {
    const registry = await startPrivateRegistry('ada', 'hush-hush');
    const image = `${registry.host}/contoso/shop:1`;
    const login = mkdtempSync(join(tmpdir(), 'castellan-login-'));
    try {
      const auth = Buffer.from('ada:hush-hush').toString('base64');
      writeFileSync(
        join(login, 'config.json'),
        JSON.stringify({ auths: { [registry.host]: { auth } } }),
      );
      await engine.docker('tag', 'castellan-test:2', image);
      await engine.docker('--config', login, 'push', '-q', image);
      await engine.docker('rmi', image);
      const containers = [container({ image })];
      const registries = [{ server: registry.host, username: 'ada', passwordSecretRef: 'pull' }];

      await declare('uninvited', { containers });
      expect((await untilState('uninvited', 'failed')).detail).toMatch(
        /can't be pulled: .*(no basic auth credentials|unauthorized|401)/,
      );
      await declare(
        'mistaken',
        { containers },
        { registries, secrets: [{ name: 'pull', value: 'wrong' }] },
      );
      const { detail } = await untilState('mistaken', 'failed');
      expect(detail).toMatch(/can't be pulled: .*(unauthorized|401|denied|authentication)/i);
      expect(detail).not.toContain('wrong');

      await declare(
        'private',
        { containers },
        { registries, secrets: [{ name: 'pull', value: 'hush-hush' }] },
      );
      await waitForAnswer('private', '/env/VERSION', 'two');
    } finally {
      rmSync(login, { recursive: true });
      await registry.stop();
    }
  });

  test('an image that cannot be pulled is an error that names it and the reason', async () => {
    await declare('absent', {
      containers: [container({ image: 'registry.invalid/contoso/web:1' })],
    });
    const { detail } = await untilState('absent', 'failed');
    expect(detail).toMatch(
      /^the image registry\.invalid\/contoso\/web:1 can't be pulled: .*registry\.invalid/,
    );
    const answer = await get('absent');
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("can't be pulled")]);
    await declare('absent', {});
    await waitForAnswer('absent', '/', 'one');
  });

  test('a command that the image does not have is an error that names it', async () => {
    await declare('mistyped', { containers: [container({ command: ['/sever'] })] });
    expect((await untilState('mistyped', 'failed')).detail).toMatch(
      /the container main can't be started: .*\/sever/,
    );
  });

  test('containers share a network and empty folders, which init containers fill one after the other', async () => {
    const mounts = { volumeMounts: [{ volumeName: 'shared', mountPath: '/data' }] };
    const init = (name: string, args: string[]): object => ({
      name,
      image: 'castellan-test:1',
      resources: smallResources,
      args,
      ...mounts,
    });
    await declare('several', {
      initContainers: [
        init('first', ['write', '/data/a', 'from init']),
        init('second', ['write', '/data/b', 'then']),
      ],
      containers: [
        { ...container({ name: 'main' }), ...mounts },
        {
          ...container({
            name: 'beside',
            args: ['serve', '9090'],
            env: [{ name: 'VERSION', value: 'beside' }],
          }),
          ...mounts,
        },
      ],
      volumes: [{ name: 'shared', storageType: 'EmptyDir' }],
    });
    await waitForAnswer('several', '/read/data/a', 'from init');
    expect((await get('several', '/read/data/b')).text).toBe('then');
    expect((await get('several', '/at/9090/')).text).toContain('beside');
    await get('several', '/write/data/c/kept');
    expect((await get('several', '/at/9090/read/data/c')).text).toBe('kept');
    // one container ends: the other one, the network and the folder stay
    await engine.docker('kill', await containerOf('several', 'beside'));
    await untilState('several', 'failed');
    await untilState('several', 'running');
    expect((await get('several', '/at/9090/read/data/c')).text).toBe('kept');
  });

  test('a failed init container is retried, and the app does not start before it has succeeded', async () => {
    await declare('uninitialised', {
      initContainers: [
        {
          name: 'setup',
          image: 'castellan-test:1',
          resources: smallResources,
          args: ['fail', 'no database'],
        },
      ],
    });
    expect(await untilState('uninitialised', 'failed', 0)).toMatchObject({
      detail: expect.stringContaining('the container setup ended (exit code 7): no database'),
    });
    expect(await containersOf('uninitialised')).toEqual([]);
  });

  const httpProbe = (path: string, properties: object = {}): object => ({
    httpGet: { path, port: 8080 },
    periodSeconds: 1,
    failureThreshold: 2,
    ...properties,
  });

  test('a replica that is not ready gets no requests until it is', async () => {
    await declare('shy', {
      containers: [container({ probes: [{ type: 'Readiness', ...httpProbe('/health') }] })],
    });
    await untilState('shy', 'running', 1);
    await get('shy', '/sick');
    expect((await untilState('shy', 'failed', 0)).detail).toContain(
      'is not ready: http://:8080/health answers 503',
    );
    expect((await get('shy')).status).toBe(503);
  });

  test('a container that fails its liveness probe is started again', async () => {
    await declare('dying', {
      containers: [container({ probes: [{ type: 'Liveness', ...httpProbe('/health') }] })],
    });
    await untilState('dying', 'running');
    const before = await engine.docker(
      'inspect',
      '--format',
      '{{.State.StartedAt}}',
      await containerOf('dying'),
    );
    await get('dying', '/sick');
    await waitUntil('a new start', async () => {
      const current = await engine
        .docker('inspect', '--format', '{{.State.StartedAt}}', await containerOf('dying'))
        .catch(() => before);
      return current === before ? undefined : current;
    });
    await untilState('dying', 'running');
    expect((await castellan(['logs', 'dying'], { cwd: sandbox.folder })).stdout).toContain(
      'did not answer its liveness probe',
    );
  });

  test('a container that does not start in time is restarted; a slow one with enough time is waited for', async () => {
    const startup = (failureThreshold: number): object[] => [
      { type: 'Startup', ...httpProbe('/health', { failureThreshold }) },
    ];
    await declare('late', {
      containers: [container({ args: ['serve', '8080', '30000'], probes: startup(2) })],
    });
    expect((await untilState('late', 'failed')).detail).toContain(
      'the container main did not start: http://:8080/health',
    );
    await declare('slow', {
      containers: [container({ args: ['serve', '8080', '3000'], probes: startup(20) })],
    });
    expect((await status('slow')).state).toBe('starting');
    await untilState('slow', 'running');
  });

  test('an app in a container is behind the sign-in layer', async () => {
    const { appId, secret } = await registerApplication(sandbox, 'guarded');
    const app = await declare(
      'guarded',
      {},
      { secrets: [{ name: 'directory-secret', value: secret }] },
    );
    await sandbox.api(
      'PUT',
      `${app}/authConfigs/current?api-version=2025-07-01`,
      authSettings(appId),
    );
    const page = { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' } };
    const address = `https://guarded.localhost:${sandbox.settings.port}/deep`;
    const redirect = await waitUntil('the sign-in layer', async () => {
      const answer = await sandbox.send('GET', address, page);
      return answer.status === 302 ? answer : undefined;
    });
    expect(redirect.headers['location']).toContain('/.auth/login/directory');
    expect((await get('guarded', '/healthz')).text).toContain('X-Forwarded-Proto');
  });

  const versions = async (host: string, requests: number): Promise<string[]> => {
    const answers = await Promise.all(Array.from({ length: requests }, () => get(host)));
    return answers.map(({ text }) => text.split('\n')[0] ?? '');
  };

  test('an app is scaled to zero without requests, and a request starts it and is answered', async () => {
    await declare('sleepy', { scale: { minReplicas: 0, maxReplicas: 1, cooldownPeriod: 5 } });
    await untilState('sleepy', 'running', 1);
    await untilState('sleepy', 'idle', 0);
    await waitUntil('the end of its container', async () =>
      (await containersOf('sleepy')).length === 0 ? true : undefined,
    );
    const answers = await Promise.all([1, 2, 3].map(() => get('sleepy')));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await status('sleepy')).state).toBe('running');
  });

  test('an app gets more replicas for more concurrent requests, and fewer after a quiet period', async () => {
    const scale = {
      minReplicas: 1,
      maxReplicas: 3,
      cooldownPeriod: 2,
      rules: [{ name: 'http', http: { metadata: { concurrentRequests: '2' } } }],
    };
    await declare('busy', { scale });
    await untilState('busy', 'running', 1);
    const slow = Array.from({ length: 12 }, () => get('busy', '/slow/8000'));
    await untilState('busy', 'running', 3);
    expect((await containersOf('busy')).length).toBe(3);
    expect((await Promise.all(slow)).map((answer) => answer.text)).toEqual(
      Array.from({ length: 12 }, () => 'slept'),
    );
    await untilState('busy', 'running', 1);
  });

  test('in single mode a new revision replaces the old one once it is ready, without losing a request', async () => {
    const revisionTemplate = (image: string, revisionSuffix: string, delay: string): object => ({
      containers: [container({ image, args: ['serve', '8080', delay] })],
      revisionSuffix,
    });
    await declare('rolling', revisionTemplate('castellan-test:1', 'first', '0'));
    await waitForAnswer('rolling', '/', 'rolling--first one');
    await declare('rolling', revisionTemplate('castellan-test:2', 'second', '2000'));
    const seen = new Set<string>();
    await waitUntil('the second revision', async () => {
      const answer = await get('rolling');
      expect(answer.status).toBe(200);
      seen.add(answer.text.split('\n')[0] ?? '');
      return seen.has('rolling--second two') ? true : undefined;
    });
    expect([...seen]).toEqual(['rolling--first one', 'rolling--second two']);
    await waitUntil('the end of the first', async () =>
      (await containersOf('rolling')).length === 1 ? true : undefined,
    );
  });

  test('in multiple mode requests are shared by weight, and a label addresses only its revision', async () => {
    const declareSplit = (
      image: string,
      revisionSuffix: string,
      traffic: object[],
    ): Promise<string> =>
      declare(
        'split',
        { containers: [container({ image })], revisionSuffix },
        { activeRevisionsMode: 'Multiple', ingress: { external: true, targetPort: 8080, traffic } },
      );
    await declareSplit('castellan-test:1', 'blue', [{ latestRevision: true, weight: 100 }]);
    await waitForAnswer('split', '/', 'one');
    await declareSplit('castellan-test:2', 'green', [
      { revisionName: 'split--blue', weight: 50 },
      { revisionName: 'split--green', weight: 50, label: 'next' },
    ]);
    await untilState('split', 'running', 2);
    expect((await status('split')).revisions).toMatchObject([
      { name: 'split--blue', weight: 50, labels: [], replicas: 1 },
      { name: 'split--green', weight: 50, labels: ['next'], replicas: 1 },
    ]);
    const seen = await versions('split', 60);
    expect(new Set(seen)).toEqual(new Set(['split--blue one', 'split--green two']));
    expect(new Set(await versions('split---next', 10))).toEqual(new Set(['split--green two']));
    expect(new Set(await versions('split--blue', 10))).toEqual(new Set(['split--blue one']));
    expect((await get('split---other')).status).toBe(503);
    await declareSplit('castellan-test:2', 'green', [
      { revisionName: 'split--green', weight: 100 },
    ]);
    await waitUntil('all for green', async () =>
      (await versions('split', 5)).every((each) => each === 'split--green two') ? true : undefined,
    );
    await waitUntil('the end of blue', async () =>
      (await containersOf('split')).length === 1 ? true : undefined,
    );
  });

  test('an engine that is killed and restarted runs its apps again', async ({ skip }) => {
    // An engine of this machine, which others use, too
    if (engine.crash === undefined) return skip();
    await engine.crash();
    await untilState('plain', 'failed');
    expect((await get('plain')).status).toBe(503);
    await engine.start?.();
    await waitUntil(
      'the app',
      async () => ((await get('plain', '/env/GREETING')).status === 200 ? true : undefined),
      90_000,
    );
    await untilState('plain', 'running', 1);
  });

  test('after a kill -9 of the sandbox the next start has the same apps, and no duplicate containers', async () => {
    process.kill(
      JSON.parse(readFileSync(`${sandbox.folder}/.castellan/sandbox.json`, 'utf8')).pid as number,
      'SIGKILL',
    );
    expect((await castellan(['sandbox', 'start'], { cwd: sandbox.folder })).exitCode).toBe(0);
    await waitForAnswer('plain', '/env/GREETING', 'hello');
    expect((await containersOf('plain')).length).toBe(1);
  });
});
