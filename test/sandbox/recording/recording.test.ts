import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Har } from '../../../sandbox/recording/har.js';
import { Recorder } from '../../../sandbox/recording/recorder.js';
import { replay, type RunningReplay } from '../../../sandbox/recording/replay.js';
import { parseServeOptions } from '../../../sandbox/serve/options.js';
import { serve } from '../../../sandbox/serve/serve.js';

const flags = {
  listen: '127.0.0.1:0',
  database: 'memory:',
  dialect: 'azure',
  throttle: 'off',
  logLevel: 'silent',
  auth: false,
  longRunning: 'never',
  longRunningSeconds: '1',
};
const jsonHeaders = { 'content-type': 'application/json' };
const group = {
  displayName: 'Staff',
  mailNickname: 'staff',
  mailEnabled: false,
  securityEnabled: true,
};

let folder: string;
let file: string;
let har: Har;
/** The origin of the recorded service. */
let recordedOrigin: string;
let groupId: string;
let secret: string;
/** The list of groups as it was answered while recording. */
let recordedList: unknown;
let replayServer: RunningReplay;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-recording-'));
  file = join(folder, 'calls.har');
  const running = await serve(parseServeOptions(['directory'], { ...flags, record: file }));
  recordedOrigin = running.origin;
  const send = async (method: string, path: string, body?: unknown, headers = jsonHeaders) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${running.origin}${path}`, { method, headers, ...init });
    return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
  };
  await send('GET', "/v1.0/groups?$top=1&$filter=displayName eq 'Staff'");
  groupId = (await send('POST', '/v1.0/groups', group)).body.id;
  await send('POST', '/v1.0/groups', { ...group, displayName: 'Others', mailNickname: 'others' });
  await send('GET', "/v1.0/groups?$top=1&$filter=displayName eq 'Staff'");
  recordedList = (await send('GET', '/v1.0/groups?$top=1')).body;
  const application = (await send('POST', '/v1.0/applications', { displayName: 'Shop' })).body.id;
  secret = (await send('POST', `/v1.0/applications/${application}/addPassword`, {})).body
    .secretText;
  await send('GET', '/v1.0/groups', undefined, {
    ...jsonHeaders,
    authorization: 'Bearer S3CRET.of.somebody',
    cookie: 'session=S3CRET',
  } as typeof jsonHeaders);
  // the file is complete after each call
  har = JSON.parse(readFileSync(file, 'utf8')) as Har;
  await running.close();
  replayServer = await replay({ har: readFileSync(file, 'utf8'), file, port: 0 });
});
afterAll(async () => {
  await replayServer.close();
  rmSync(folder, { recursive: true });
});

const ask = async (method: string, path: string, body?: unknown) => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${replayServer.origin}${path}`, {
    method,
    headers: jsonHeaders,
    ...init,
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers freely
  return { status: answer.status, body: (await answer.json()) as any };
};

test('a recording is HAR 1.2, with every call, its bodies and times', () => {
  expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'castellan' } });
  const [first, created] = har.log.entries;
  expect(har.log.entries).toHaveLength(8);
  expect(first?.request.queryString).toEqual([
    { name: '$top', value: '1' },
    { name: '$filter', value: "displayName eq 'Staff'" },
  ]);
  expect(created).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    time: expect.any(Number) as number,
    request: {
      method: 'POST',
      url: `${recordedOrigin}/v1.0/groups`,
      postData: { mimeType: 'application/json', text: JSON.stringify(group) },
    },
    response: {
      status: 201,
      statusText: 'Created',
      content: { mimeType: expect.stringMatching(/json/) as string },
      headers: expect.arrayContaining([
        expect.objectContaining({ name: 'request-id' }),
      ]) as object[],
    },
    cache: {},
    timings: { send: 0, receive: 0 },
  });
});

test('secrets are masked in bodies and headers; their ids and dates are not', () => {
  const text = JSON.stringify(har);
  expect(secret.length).toBeGreaterThan(20);
  for (const hidden of [secret, 'S3CRET']) expect(text).not.toContain(hidden);
  const passwordAnswer = har.log.entries[6]?.response.content.text ?? '{}';
  expect(JSON.parse(passwordAnswer)).toMatchObject({
    secretText: '•••',
    keyId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    endDateTime: expect.stringMatching(/^\d{4}-/) as string,
  });
});

test('equal requests get the answers that followed each other, then the last one', async () => {
  const search = "/v1.0/groups?$filter=displayName eq 'Staff'&$top=1";
  const countMatches = async () => (await ask('GET', search)).body.value.length;
  expect([await countMatches(), await countMatches(), await countMatches()]).toEqual([0, 1, 1]);
});

test('a request with a body gets the answer to that body', async () => {
  const others = { ...group, displayName: 'Others', mailNickname: 'others' };
  expect((await ask('POST', '/v1.0/groups', others)).body.displayName).toBe('Others');
  expect((await ask('POST', '/v1.0/groups', group)).body.id).toBe(groupId);
});

test('links lead to the server that replays', async () => {
  const { body } = await ask('GET', '/v1.0/groups?$top=1');
  expect(body['@odata.nextLink']).toMatch(new RegExp(`^${replayServer.origin}/v1.0/groups\\?`));
  expect(body.value).toEqual((recordedList as typeof body).value);
});

test('a request that is not recorded gets 501, and the recorded ones of its path are listed', async () => {
  const { status, body } = await ask('GET', '/v1.0/groups?$top=7');
  expect([status, body.error.code]).toEqual([501, 'NotRecorded']);
  expect(body.error.message).toContain(
    `GET /v1.0/groups?$top=7 is not recorded in ${file}. Of its path: GET /v1.0/groups?`,
  );
  expect((await ask('DELETE', '/v1.0/chairs')).body.error.message).toContain('Nothing of its path');
});

test.each([
  ['[', 'is not JSON'],
  ['{}', 'has no log.entries'],
  ['{"log":{"entries":[{}]}}', 'log.entries[0] of x.har has no request.method'],
])('a file that is no recording is refused: %s', async (text, message) => {
  const refused = replay({ har: text, file: 'x.har', port: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'CAS4024' });
  await expect(refused).rejects.toThrow(message);
});

test('a file that cannot be written is refused', async () => {
  const record = join(folder, 'none', 'calls.har');
  await expect(serve(parseServeOptions(['directory'], { ...flags, record }))).rejects.toMatchObject(
    { code: 'CAS4024' },
  );
});

test('a recording goes on when another one cannot be started', () => {
  const recorder = new Recorder();
  const first = join(folder, 'first.har');
  recorder.start(first);
  expect(() => recorder.start(join(folder, 'none', 'second.har'))).toThrow("can't be written");
  expect(recorder.status()).toEqual({ file: first, calls: 0 });
  const second = join(folder, 'second.har');
  expect(recorder.start(second)).toEqual({ file: second, calls: 0 });
  expect(recorder.stop().file).toBe(second);
});

test('requests with an odd path or Host are recorded, too', async () => {
  const record = join(folder, 'odd.har');
  const running = await serve(parseServeOptions(['directory'], { ...flags, record }));
  for (const [path, host] of [
    ['//other.example/v1.0', new URL(running.origin).host],
    ['/v1.0/groups', '[::'],
  ]) {
    const request = get(running.origin, { path, headers: { host } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
  }
  await running.close();
  const { log } = JSON.parse(readFileSync(record, 'utf8')) as Har;
  expect(log.entries.map(({ request }) => request.url)).toEqual([
    `${running.origin}//other.example/v1.0`,
    'http://localhost/v1.0/groups',
  ]);
  const server = await replay({ har: readFileSync(record, 'utf8'), file: record, port: 0 });
  const request = get(server.origin, { path: '//other.example/v1.0' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(log.entries[0]?.response.status);
  answer.destroy();
  await server.close();
});

test('recordings of other programs keep repeated headers and bytes', async () => {
  const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00]);
  const response = {
    status: 200,
    headers: [
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
    ],
    content: { mimeType: 'image/png', text: bytes.toString('base64'), encoding: 'base64' },
  };
  const entry = { request: { method: 'GET', url: 'https://contoso.example/logo.png' }, response };
  const text = JSON.stringify({ log: { entries: [entry] } });
  const server = await replay({ har: text, file: 'x.har', port: 0 });
  const answer = await fetch(`${server.origin}/logo.png`);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  await server.close();
});
