import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCastellan } from '../../support/cli.js';
import { signIn } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-authority-'));
const file = (name: string): string => join(directory, name);
const idp = new TestIdentityProvider();
let tlsProxy: https.Server;

beforeAll(async () => {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      'rsa:2048',
      '-keyout',
      file('key'),
      '-out',
      file('cert'),
      '-days',
      '2',
      ...names,
    ],
    { stdio: 'ignore' },
  );
  await idp.start();
  const providerUrl = idp.url;
  tlsProxy = https.createServer(
    { key: readFileSync(file('key')), cert: readFileSync(file('cert')) },
    (incoming, response) => {
      const { method, headers, url = '/' } = incoming;
      incoming.pipe(
        http.request(providerUrl + url, { method: method ?? 'GET', headers }, (answer) =>
          answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)),
        ),
      );
    },
  );
  await new Promise<void>((done) => tlsProxy.listen(0, 'localhost', done));
  // its metadata has the address of the proxy
  idp.url = `https://localhost:${(tlsProxy.address() as AddressInfo).port}`;
  const registration = {
    clientId: idp.clientId,
    clientSecretSettingName: 'directory-secret',
    openIdIssuer: idp.url,
  };
  writeFileSync(
    file('auth.json'),
    JSON.stringify({ identityProviders: { azureActiveDirectory: { registration } } }),
  );
});
afterAll(async () => {
  tlsProxy.closeAllConnections();
  await new Promise((done) => tlsProxy.close(done));
  await idp.close();
  rmSync(directory, { recursive: true, force: true });
});

test('signs in at a provider with a private authority only if that is configured', async () => {
  const args = [
    'sidecar',
    '--config',
    file('auth.json'),
    '--upstream',
    'http://127.0.0.1:9',
    '--listen',
    '127.0.0.1:0',
  ];
  const env = { DIRECTORY_SECRET: idp.secret };
  const trusting = await startCastellan(args, {
    cwd: directory,
    env: { ...env, NODE_EXTRA_CA_CERTS: file('cert') },
  });
  const { callbackAnswer } = await signIn({ url: String(trusting.ready['listening']) }, idp);
  expect([callbackAnswer.status, callbackAnswer.headers['location']]).toEqual([302, ['/']]);
  expect(await trusting.stop()).toBe(0);
  const distrusting = await startCastellan(args, { cwd: directory, env });
  const answer = await request(String(distrusting.ready['listening']), {
    path: '/.auth/login/directory',
    headers: browser,
  });
  expect(answer.status).toBe(502);
  expect(await distrusting.stop()).toBe(0);
});
