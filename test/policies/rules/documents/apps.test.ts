import { type Case, judgeAll } from './judge.js';

const app = (more: string, top = ''): string =>
  `containerApps:\n  shop:\n    image: ghcr.io/c/s:1.0.0\n    targetPort: 80\n${more
    .split('\n')
    .map((l) => '    ' + l)
    .join('\n')}\n${top}`;
const cases: readonly Case[] = [
  ['weights', app('revision: { mode: multiple, traffic: [ { latest: true, weight: 100 }, { revision: a, weight: 50 } ] }'), 'app-traffic'],
  [
    'label twice',
    app('revision: { mode: multiple, traffic: [ { latest: true, weight: 50, label: a }, { revision: b, weight: 50, label: a } ] }'),
    'app-traffic',
  ],
  ['single w revision', app('revision: { traffic: [ { revision: b, weight: 100 } ] }'), 'app-traffic'],
  ['replicas', app('replicas: { min: 5, max: 2 }'), 'app-replicas'],
  ['min 11 default max', app('replicas: { min: 11 }'), 'app-replicas'],
  ['max 0', app('replicas: { max: 0 }'), 'app-replicas'],
  ['cpu', app('cpu: 0.3'), 'app-cpu-memory'],
  ['mem', app('cpu: 0.5\nmemory: 2Gi'), 'app-cpu-memory'],
  ['mem abc', app('memory: abc'), 'app-cpu-memory'],
  ['mem 512Mi', app('memory: 512Mi'), 'app-cpu-memory'],
  ['profile any', app('cpu: 7\nmemory: 3Gi\nworkloadProfile: D4'), ''],
  ['secret ref env', app('env: { A: { secret: nope } }'), 'app-secret-references'],
  ['secret ref registry', app('registries: [ { server: ghcr.io, username: a, password: secret:nope } ]'), 'app-secret-references'],
  ['secret self', app('secrets: { a: secret:a }'), 'app-secret-references'],
  ['keyvault no identity', app('secrets: { a: "keyvault:https://v.vault.azure.net/secrets/a" }'), ''],
  ['keyvault with identity', app('secrets: { a: "keyvault:https://v.vault.azure.net/secrets/a" }\nidentity: { systemAssigned: true }'), ''],
  ['registry system no identity', app('registries: [ { server: ghcr.io, identity: system } ]'), 'app-registry'],
  [
    'registry other identity',
    app('registries: [ { server: ghcr.io, identity: /subscriptions/x } ]\nidentity: { userAssigned: [/subscriptions/y] }'),
    'app-registry',
  ],
  ['registry none', app('registries: [ { server: ghcr.io } ]'), 'app-registry'],
  ['probe tcp path', app('probes: { liveness: { transport: tcp, path: /x } }'), 'app-probes'],
  ['probe success on liveness', app('probes: { liveness: { successThreshold: 3 } }'), 'app-probes'],
  ['probe readiness ok', app('probes: { readiness: { successThreshold: 3, path: /x } }'), ''],
  ['probe no port', 'containerApps: { shop: { image: "ghcr.io/c/s:1.0.0", probes: { liveness: { path: / } } } }', 'app-probes'],
  ['name', 'containerApps: { Shop: { image: "ghcr.io/c/s:1.0.0" } }', 'app-name'],
  ['name ab_', 'containerApps: { ab_: { image: "ghcr.io/c/s:1.0.0" } }', 'app-name'],
  [
    'name dup',
    'containerApps: { a1: { name: same, image: "ghcr.io/c/s:1.0.0" }, b1: { name: same, image: "ghcr.io/c/s:1.0.0" } }',
    'app-name-unique',
  ],
  ['env two', app('', 'environments: { a: {}, b: {} }'), 'app-environment'],
  ['env two named', app('environment: a', 'environments: { a: {}, b: {} }'), ''],
  ['env name dup', 'environments: { a: { name: ab }, b: { name: ab } }', 'app-name-unique'],
  ['image latest', app('').replace(':1.0.0', ':latest'), 'app-image-pinned'],
  ['exposedPort', app('ingress: { exposedPort: 80 }'), 'app-ingress-port'],
  ['no port', 'containerApps: { shop: { image: "ghcr.io/c/s:1.0.0", ingress: { external: false } } }', 'app-ingress-port'],
  ['env url with password', app('env: { DB: "postgres://u:correct-horse@db/x" }'), 'app-secret-in-env'],
  ['env url without password', app('env: { DB: "postgres://u@db:5432/x", A: "https://a:8080/b@c" }'), ''],
  ['env connection string', app('env: { DB: "Server=db;User Id=u;Password=correct-horse" }'), 'app-secret-in-env'],
  ['env storage key', app('env: { ST: "AccountName=a;AccountKey=abc==" }'), 'app-secret-in-env'],
  ['env private key', app('env: { PEM: "-----BEGIN RSA PRIVATE KEY----- x" }'), 'app-secret-in-env'],
  ['secret name and unset value', app('secrets: { A_b: "${env:UNSET}" }'), 'property-value'],
  ['tenant', 'azure: { tenantId: nope }', 'property-value'],
  ['command sandbox', app('sandbox: { command: node }'), ''],
];

describe('what the providers and the hosting service say of apps', () => judgeAll(cases));
