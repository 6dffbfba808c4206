import net from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClock } from '../../../services/auth-sidecar/operations/clock.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { type CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let folder: string;
beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp((incoming, response) => {
    if (incoming.url !== '/events') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n');
    return true;
  });
  folder = mkdtempSync(join(tmpdir(), 'sidecar-clock-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await app.close();
  await idp.close();
});

const file = () => join(folder, 'clock.json');
const setAhead = (aheadSeconds: unknown) => writeFileSync(file(), JSON.stringify({ aheadSeconds }));
const start = () =>
  startUnderTest({
    config: directoryConfig(idp, { login: { audit: { file: join(folder, 'audit.jsonl') } } }),
    upstream: app.url,
    options: { clock: file() },
  });
type Sidecar = Awaited<ReturnType<typeof start>>;
const visit = async (sidecar: Sidecar, jar: CookieJar) =>
  (await request(sidecar.url, { path: '/', headers: cookie(jar) })).status;
const secondsPerHour = 3600;

test('sessions and the audit follow the file of --clock, without a reload', async () => {
  rmSync(file(), { force: true });
  const sidecar = await start();
  const { jar } = await signIn(sidecar, idp);
  expect(await visit(sidecar, jar)).toBe(200);
  setAhead(7 * secondsPerHour);
  expect(await visit(sidecar, jar)).toBe(200);
  setAhead(8 * secondsPerHour);
  expect(await visit(sidecar, jar)).toBe(401);
  writeFileSync(file(), '{"aheadSec'); // half written: the last value holds
  expect(await visit(sidecar, jar)).toBe(401);
  setAhead(0);
  expect(await visit(sidecar, jar)).toBe(200);
  setAhead(24 * secondsPerHour);
  // the ID token has ended then
  expect((await signIn(sidecar, idp)).callbackAnswer.status).toBe(401);
  const auditLines = () =>
    readFileSync(join(folder, 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
  await expect.poll(() => auditLines().at(-1)?.['event']).toBe('refused');
  const [first, last] = [auditLines()[0], auditLines().at(-1)];
  expect(first?.['event']).toBe('sign-in');
  const apartMs = Date.parse(last?.['time'] ?? '') - Date.parse(first?.['time'] ?? '');
  expect(Math.round(apartMs / 3_600_000)).toBe(24);
  await sidecar.stop();
});

test('an event stream closes within two seconds of the moment at which its session expires', async () => {
  setAhead(0);
  const sidecar = await start();
  const { jar } = await signIn(sidecar, idp);
  const { hostname, port, host } = new URL(sidecar.url);
  const socket = net.connect(Number(port), hostname);
  let text = '';
  let closedAt = 0;
  socket.on('data', (part) => (text += String(part)));
  socket.on('error', () => undefined).on('close', () => (closedAt = performance.now()));
  socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${jar.header}\r\n\r\n`);
  await expect.poll(() => text).toContain('data: first');
  const before = performance.now();
  setAhead(8 * secondsPerHour);
  await vi.waitFor(() => expect(closedAt).toBeGreaterThan(0), { timeout: 4000 });
  expect(closedAt - before).toBeLessThan(2000);
  await sidecar.stop();
});

test('a file without aheadSeconds refuses the start', async () => {
  setAhead('soon');
  await expect(start()).rejects.toThrow('is not {"aheadSeconds": <whole number>}');
});

test('a clock that is ahead is logged when it starts, and when it changes', () => {
  rmSync(file(), { force: true });
  const messages: string[] = [];
  const clock = openClock(file(), (message) => messages.push(message));
  clock.seconds();
  expect(messages).toEqual([]);
  setAhead(60);
  clock.seconds();
  clock.date();
  openClock(file(), (message) => messages.push(message));
  setAhead(0);
  clock.seconds();
  expect(messages).toEqual(
    [60, 60, 0].map(
      (seconds) =>
        `the time is ${seconds} seconds ahead of this machine's, for a rehearsal: see ${file()}`,
    ),
  );
});
