import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { MalformedResponse } from '../../../services/auth-sidecar/upstream/response-head.js';
import { ResponseParser } from '../../../services/auth-sidecar/upstream/response-parser.js';

/** What a parser makes of the bytes of one connection: nothing, a head that ends early, or all. */
type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly reason: string;
      readonly headers: readonly string[];
      readonly body: string;
    };

/** Reads by the sidecar's parser. @returns what it read, and how many bytes of it */
function readByOurs(bytes: Buffer, method: string): readonly [Reading, number] {
  let [status, reason, body] = [0, '', ''];
  let headers: readonly string[] = [];
  const parser = new ResponseParser({
    onInformation: () => undefined,
    onHead: (head) => ({ status, reason, headers } = head),
    onBody: (chunk) => (body += chunk.toString('latin1')),
    onEnd: () => undefined,
  });
  parser.begin(method);
  let unreadBytes: Buffer = Buffer.alloc(0);
  try {
    unreadBytes = parser.read(bytes);
  } catch (error) {
    if (!(error instanceof MalformedResponse)) throw error;
    return [{ kind: status === 0 ? 'none' : 'cut' }, bytes.length];
  }
  if (!parser.isDone && parser.endsByClose) parser.finish();
  const read = bytes.length - unreadBytes.length;
  if (parser.isDone) return [{ kind: 'whole', status, reason, headers, body }, read];
  return [{ kind: status === 0 ? 'none' : 'cut' }, read];
}

const bytesByPath = new Map<string, Buffer>();
const server = net.createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (request) => {
    const path = /^\w+ (\S+) /.exec(request.toString('latin1'))?.[1] ?? '';
    socket.end(bytesByPath.get(path) ?? '');
  });
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => server.close(done)));

/** Reads by Node's client, over a connection of its own: its parser is llhttp. */
function readByNode(bytes: Buffer, method: string, path: string): Promise<Reading> {
  bytesByPath.set(path, bytes);
  return new Promise((done) => {
    const { port } = server.address() as AddressInfo;
    const request = http.request({ port, host: '127.0.0.1', method, path, agent: false });
    let kind: 'none' | 'cut' = 'none';
    request.on('error', () => done({ kind }));
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      done(wholeReading(response, ''));
    });
    request.on('response', (response) => {
      kind = 'cut';
      let body = '';
      response.setEncoding('latin1').on('data', (part: string) => (body += part));
      response.on('error', () => done({ kind }));
      response.on('end', () => done(wholeReading(response, body)));
    });
    request.end();
  });
}

function wholeReading(response: http.IncomingMessage, body: string): Reading {
  return {
    kind: 'whole',
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    headers: forwardedHeaders(response.rawHeaders, response.statusCode === 204),
    body,
  };
}

const connectionHeaders = ['connection', 'keep-alive', 'proxy-connection', 'upgrade'];
const framingHeaders = ['transfer-encoding', 'trailer'];
const keptOptions = [
  'close',
  'keep-alive',
  'upgrade',
  'content-length',
  'set-cookie',
  'content-type',
];

/** What a proxy passes on of an answer's headers: none has a length where there is no body. */
function forwardedHeaders(raw: readonly string[], isEmpty: boolean): string[] {
  const pairs = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
  const listedHeaders = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase()))
    .filter((each) => !keptOptions.includes(each));
  const droppedHeaders = new Set([...connectionHeaders, ...framingHeaders, ...listedHeaders]);
  if (isEmpty) droppedHeaders.add('content-length');
  return pairs.filter(([name]) => !droppedHeaders.has(name.toLowerCase())).flat();
}

/** Numbers from 0 to 1, the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const heads = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2;a=b\r\nhi\r\n0\r\nX: y\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nuntil the end',
  'HTTP/1.0 200 OK\r\nServer: old\r\n\r\nuntil the end',
  'HTTP/1.1 204 No Content\r\nETag: "x"\r\nConnection: keep-alive, x-named\r\nX-Named: 1\r\n\r\n',
  'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n',
  'HTTP/1.1 404\r\nContent-Length: 0\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 500 Internal Server Error\r\nX-Latin: caf\u00e9\r\nDate: x\r\nContent-Length: 1\r\n\r\n!',
];
const lines = [
  'Content-Length: 5',
  'Content-Length: 05',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length:',
  'content-length: 6',
  'Content-Length: 0x5',
  'Content-Length: 5 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding : chunked',
  'TE: trailers',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: CHUNKED',
  ' folded',
  '\tfolded',
  'X',
  ': x',
  'X:',
  'X:\u0000',
  'X: a\rb',
  'X: a\nb',
  'X\u00e9: y',
  'Connection: close',
  'Connection: content-length',
  'Connection: upgrade',
  'Upgrade: x',
];
const pieces = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '"',
  '(',
  '\u007f',
  '\u0080',
  '\u00ff',
  '0',
  '1',
  '9',
  'a',
  'f',
  'F',
  '+',
  '-',
  '_',
  'HTTP/1.1 ',
  'HTTP/2',
  '0\r\n\r\n',
];

/** One to three changes of an answer. */
function mutate(text: string, roll: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;
  let result = text;
  for (let count = 1 + Math.floor(roll() * 3); count > 0; count--) {
    const position = Math.floor(roll() * (result.length + 1));
    const resultLines = result.split('\r\n');
    const line = 1 + Math.floor(roll() * Math.max(1, resultLines.indexOf('')));
    switch (Math.floor(roll() * 6)) {
      case 0:
        result = result.slice(0, position) + pick(pieces) + result.slice(position);
        break;
      case 1:
        result = result.slice(0, position) + result.slice(position + 1 + Math.floor(roll() * 3));
        break;
      case 2:
        result = result.slice(0, position) + pick(pieces) + result.slice(position + 1);
        break;
      case 3:
      case 4:
        result = [...resultLines.slice(0, line), pick(lines), ...resultLines.slice(line)].join(
          '\r\n',
        );
        break;
      default:
        result = [
          ...resultLines.slice(0, line),
          resultLines[line - 1],
          ...resultLines.slice(line),
        ].join('\r\n');
    }
  }
  return result;
}

/** How much of an answer each kind of reading has. */
const readingRank = { none: 0, cut: 1, whole: 2 };

describe("the parser of the app's answers", () => {
  test.each(heads)('reads %j as Node does', async (text) => {
    const bytes = Buffer.from(text, 'latin1');
    const [ours] = readByOurs(bytes, 'GET');
    expect(ours.kind).toBe('whole');
    expect(ours).toEqual(await readByNode(bytes, 'GET', '/'));
  });

  test('reads no mutated answer in another way than llhttp, and is never more lenient', async () => {
    const roll = createRandom(20);
    const count = { same: 0, stricter: 0 };
    const differences: unknown[] = [];
    const judge = async (index: number): Promise<void> => {
      const method = index % 5 === 0 ? 'HEAD' : 'GET';
      const text = mutate(heads[index % heads.length] as string, roll);
      const bytes = Buffer.from(text, 'latin1');
      const [ours, length] = readByOurs(bytes, method);
      // Bytes behind the answer, which no one asked for, are Node's next answer.
      const theirs = await readByNode(bytes.subarray(0, length), method, `/${index}`);
      if (readingRank[ours.kind] < readingRank[theirs.kind]) count.stricter++;
      else if (JSON.stringify(ours) === JSON.stringify(theirs)) count.same++;
      else differences.push({ method, text, ours, theirs });
    };
    for (let index = 0; index < 5000; index += 20)
      await Promise.all(Array.from({ length: 20 }, (_, each) => judge(index + each)));
    expect(differences.slice(0, 5)).toEqual([]);
    // Neither is everything refused, nor nothing.
    expect(count.same).toBeGreaterThan(3000);
    expect(count.stricter).toBeGreaterThan(50);
  });
});
