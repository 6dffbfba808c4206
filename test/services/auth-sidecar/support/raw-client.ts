import net from 'node:net';

/** An answer as bytes and taken apart. */
export interface RawAnswer {
  readonly text: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string[]>>;
  readonly body: string;
}

/** Sends bytes as they are and gathers what comes back until the connection ends or is silent. */
export function sendRaw(url: string, bytes: string | Buffer, silenceMs = 250): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    const parts: Buffer[] = [];
    let timer = setTimeout(() => socket.destroy(), 15_000);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), silenceMs);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      done(Buffer.concat(parts).toString('latin1'));
    });
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** Takes the first answer of a text apart. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end < 0 ? text.length : end).split('\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    (headers[name] ??= []).push(line.slice(colon + 1).trim());
  }
  return {
    text,
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    body: end < 0 ? '' : text.slice(end + 4),
  };
}

/** A request that a test describes. */
export interface RequestShape {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string;
}

/**
 * Sends one request on a connection of its own, with the host of the URL unless another is given.
 */
export async function request(url: string, shape: RequestShape = {}): Promise<RawAnswer> {
  const { method = 'GET', path = '/', headers = {}, body } = shape;
  const headerLines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  const host = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
    ? ''
    : `Host: ${new URL(url).host}\r\n`;
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const text = `${method} ${path} HTTP/1.1\r\n${host}${headerLines.join('')}${length}Connection: close\r\n\r\n`;
  return parseAnswer(
    await sendRaw(
      url,
      Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(body ?? '')]),
      20_000,
    ),
  );
}

/** What a browser's navigation carries. */
export const browser = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
} as const;

/** Keeps cookies as a browser does. */
export class CookieJar {
  readonly cookies = new Map<string, string>();

  take(answer: Pick<RawAnswer, 'headers'>): void {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const equalsIndex = pair.indexOf('=');
      const isDeleted = attributes.some((attribute) => /^max-age=0$/i.test(attribute));
      if (isDeleted) this.cookies.delete(pair.slice(0, equalsIndex));
      else this.cookies.set(pair.slice(0, equalsIndex), pair.slice(equalsIndex + 1));
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
