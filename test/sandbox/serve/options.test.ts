import { isLoopback } from '../../../core/values/loopback.js';
import { parseListen, parseServeOptions, type ServeFlags } from '../../../sandbox/serve/options.js';

const flags: ServeFlags = {
  listen: '127.0.0.1:0',
  database: 'memory:',
  dialect: 'neutral',
  throttle: 'on',
  logLevel: 'warn',
  auth: true,
  longRunning: 'random:x',
  longRunningSeconds: '2',
};

test('flags become options, and a service that is named twice is served once', () => {
  expect(parseServeOptions(['items', 'items'], flags)).toEqual({
    services: ['items'],
    listen: { host: '127.0.0.1', port: 0 },
    database: 'memory:',
    dialect: 'neutral',
    throttle: true,
    logLevel: 'warn',
    issuers: [],
    authentication: true,
    longRunning: { mode: 'random', seed: 'x', seconds: 2 },
  });
});

test.each<[string, Partial<ServeFlags>, string]>([
  ['a port too high', { listen: '127.0.0.1:70000' }, '--listen 127.0.0.1:70000'],
  ['a listen address without a port', { listen: 'localhost' }, '--listen localhost'],
  ['an unknown dialect, with a suggestion', { dialect: 'azur' }, 'did you mean azure'],
  ['a throttle that is neither on nor off', { throttle: 'yes' }, '--throttle yes'],
  ['an unknown log level', { logLevel: 'loud' }, '--log-level loud'],
  ['an unreadable clock', { now: 'tomorrow' }, '--now tomorrow'],
  ['a day that does not exist', { now: '2026-13-45' }, '--now 2026-13-45'],
  ['an unknown long-running mode', { longRunning: 'sometimes' }, '--long-running sometimes'],
  ['negative seconds', { longRunningSeconds: '-1' }, '--long-running-seconds -1'],
  ['a certificate without its key', { tlsCert: 'a.pem' }, '--tls-cert and --tls-key go together'],
  [
    'a certificate that is not there',
    { tlsCert: '/nowhere/a.pem', tlsKey: '/nowhere/b.pem' },
    "--tls-cert /nowhere/a.pem can't be read",
  ],
  [
    'no authentication off loopback',
    { auth: false, listen: '0.0.0.0:0' },
    '--no-auth is accepted on loopback only',
  ],
])('%s is refused by name', (_, overrides, message) => {
  expect(() => parseServeOptions(['items'], { ...flags, ...overrides })).toThrow(message);
});

test('an unknown service gets a suggestion', () => {
  expect(() => parseServeOptions(['itmes'], flags)).toThrow('did you mean "items"');
  expect(() => parseServeOptions(['sidecar'], flags)).toThrow('`castellan sidecar` runs it');
});

test.each([
  ['[::1]:8080', { host: '::1', port: 8080 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['0.0.0.0:65535', { host: '0.0.0.0', port: 65535 }],
])('%s is a listen address', (text, expected) => {
  expect(parseListen(text)).toEqual(expected);
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
])('loopback: %s is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
