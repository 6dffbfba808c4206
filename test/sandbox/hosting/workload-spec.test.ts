import { workloadSpec } from '../../../sandbox/hosting/workload-spec.js';
import type { AppSettings } from '../../../sandbox/settings.js';
import type { DeclaredApp } from '../../../services/resource-manager/index.js';

const spec = (
  template: object,
  configuration: object = {},
  settings: AppSettings = {},
): ReturnType<typeof workloadSpec> => {
  const app: DeclaredApp = {
    id: '/web',
    name: 'web',
    properties: { configuration },
    secrets: [{ name: 'key', value: 'hidden' }],
    revisions: [],
  };
  return workloadSpec(app, { name: 'web--a', template }, settings, '/project');
};

test('a container is read with its environment, secrets, resources and volumes', () => {
  const { containers, volumes, graceSeconds } = spec({
    containers: [
      {
        name: 'main',
        image: 'img:1',
        command: ['/run'],
        args: ['now'],
        env: [
          { name: 'A', value: 'b' },
          { name: 'KEY', secretRef: 'key' },
        ],
        resources: { cpu: 0.75, memory: '1.5Gi' },
        volumeMounts: [{ volumeName: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', storageType: 'EmptyDir' }],
    terminationGracePeriodSeconds: 600,
  });
  expect(containers).toEqual([
    {
      name: 'main',
      image: 'img:1',
      command: ['/run'],
      args: ['now'],
      env: { A: 'b', KEY: 'hidden' },
      cpu: 0.75,
      memory: 1.5 * 1024 ** 3,
      mounts: [{ volume: 'data', path: '/data' }],
      probes: {},
    },
  ]);
  expect([volumes, graceSeconds]).toEqual([['data'], 10]);
});

test('the first container has started once its port accepts connections, unless a startup probe is declared', () => {
  const ingress = { ingress: { targetPort: 8080 } };
  const { containers } = spec({ containers: [{ name: 'main' }, { name: 'beside' }] }, ingress);
  expect(containers[0]?.probes).toMatchObject({ startup: { port: 8080, transport: 'tcp' } });
  expect(containers[1]?.probes).toEqual({});
  const withStartupProbe = spec(
    {
      containers: [
        { probes: [{ type: 'Startup', httpGet: { path: '/up', port: 9000, scheme: 'HTTPS' } }] },
      ],
    },
    ingress,
  );
  expect(withStartupProbe.containers[0]?.probes.startup).toMatchObject({
    port: 9000,
    transport: 'https',
    path: '/up',
  });
});

test('a probe uses default times for 0 or missing values', () => {
  const probes = [
    { type: 'Liveness', tcpSocket: { port: 5432 }, initialDelaySeconds: 0, periodSeconds: 0 },
    {
      type: 'Readiness',
      httpGet: { port: 80, host: 'web.example', httpHeaders: [{ name: 'X-A', value: '1' }] },
      timeoutSeconds: 4,
    },
  ];
  expect(spec({ containers: [{ probes }] }).containers[0]?.probes).toEqual({
    liveness: {
      port: 5432,
      transport: 'tcp',
      path: '/',
      headers: {},
      initialDelayMs: 0,
      periodMs: 10_000,
      timeoutMs: 1_000,
      failureThreshold: 3,
      successThreshold: 1,
    },
    readiness: {
      port: 80,
      transport: 'http',
      path: '/',
      headers: { host: 'web.example', 'X-A': '1' },
      initialDelayMs: 0,
      periodMs: 10_000,
      timeoutMs: 4_000,
      failureThreshold: 3,
      successThreshold: 1,
    },
  });
});

test("the sandbox's settings add image and environment to the first container", () => {
  const { containers } = spec(
    { containers: [{ image: 'a', env: [{ name: 'A', value: '1' }] }, { image: 'b' }] },
    {},
    { image: 'built', env: { A: '2' } },
  );
  expect(containers.map(({ image, env }) => [image, env])).toEqual([
    ['built', { A: '2' }],
    ['b', {}],
  ]);
});

test('only registries with a password among the secrets are used', () => {
  const registries = [
    { server: 'ghcr.io', username: 'robot', passwordSecretRef: 'key' },
    { server: 'contoso.azurecr.io', identity: 'system' },
  ];
  expect(spec({ containers: [{}] }, { registries }).registries).toEqual([
    { server: 'ghcr.io', username: 'robot', password: 'hidden' },
  ]);
});
