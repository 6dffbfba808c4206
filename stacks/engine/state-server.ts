import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { replaceFile } from '../../core/source/replace-file.js';
import { markOf, readMark, type StateMark } from './state-file.js';

/**
 * Serves a state file to one Terraform run by the `http` backend, on this machine only and with a
 * password. The file is replaced atomically, and never if it was changed since the run read it.
 *
 * @see https://developer.hashicorp.com/terraform/language/backend/http
 */
export class StateServer {
  /** Why the last state from Terraform could not be saved; undefined if it was. */
  failure: Error | undefined;
  /** The last state from Terraform, until it is saved. */
  #unsaved: string | undefined;
  #seen: StateMark | 'absent' | 'broken';
  readonly #password = randomBytes(24).toString('base64url');
  readonly #server: Server;
  #port = 0;

  private constructor(private readonly path: string) {
    this.#seen = readMark(path);
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param path the state file; it need not exist yet. */
  static async open(path: string): Promise<StateServer> {
    const server = new StateServer(path);
    await new Promise<void>((done, fail) =>
      server.#server.once('error', fail).listen(0, '127.0.0.1', done),
    );
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  /** The variables that configure Terraform's `http` backend. */
  get env(): Readonly<Record<string, string>> {
    return {
      TF_HTTP_ADDRESS: `http://127.0.0.1:${String(this.#port)}/state`,
      TF_HTTP_USERNAME: 'castellan',
      TF_HTTP_PASSWORD: this.#password,
      // one process uses the server, and Terraform does not repeat refused requests
      TF_HTTP_RETRY_MAX: '0',
    };
  }

  /** Stops the server, after another attempt to save an unsaved state. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
    if (this.#unsaved !== undefined) this.#save(this.#unsaved);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, body = ''): void =>
      void response.writeHead(status, { connection: 'close' }).end(body);
    const body = await textOf(request);
    if (!this.#isOurs(request)) return answer(401, 'wrong password\n');
    if (request.method === 'GET') {
      this.#seen = readMark(this.path);
      const text = existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
      return text === '' ? answer(204) : answer(200, text);
    }
    if (request.method !== 'POST')
      return answer(405, `${String(request.method)} is not supported, only GET and POST\n`);
    if (markOf(body) === 'broken')
      return answer(400, 'the body is no state: it has no serial or no lineage\n');
    this.#save(body);
    return this.failure === undefined ? answer(200) : answer(500, `${this.failure.message}\n`);
  }

  #isOurs({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(
      `Basic ${Buffer.from(`castellan:${this.#password}`).toString('base64')}`,
    );
    const given = Buffer.from(headers.authorization ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #save(text: string): void {
    this.#unsaved = text;
    const now = readMark(this.path);
    if (!isSame(now, this.#seen)) {
      this.failure = new Error(`another run has written ${this.path} in the meantime`);
      return;
    }
    try {
      replaceFile(this.path, (draft) => writeFileSync(draft, text, { mode: 0o600 }));
      this.failure = undefined;
      this.#unsaved = undefined;
      this.#seen = markOf(text);
    } catch (error) {
      this.failure = error as Error;
    }
  }
}

function isSame(
  one: StateMark | 'absent' | 'broken',
  other: StateMark | 'absent' | 'broken',
): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.serial === other.serial && one.lineage === other.lineage;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
