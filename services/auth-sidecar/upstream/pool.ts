import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { Failure, reasonOf } from '../operations/failure.js';
import { turnTime } from '../operations/turn.js';
import { UpstreamConnection } from './connection.js';
import { ReadMemory } from './read-memory.js';

/** Address of the app. */
export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

/** Parses `--upstream`. @throws CAS6004 for anything but an http(s) origin. */
export function parseUpstream(text: string): UpstreamAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new CastellanError(
      'CAS6004',
      `--upstream: "${text}" is not an origin such as http://127.0.0.1:8080`,
    );
  const secure = url.protocol === 'https:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 443 : 80)),
    tls: secure,
  };
}

/** Options of the pool; times in milliseconds. */
export interface PoolOptions {
  /** A kept connection is closed before usual servers (5 s) do it. @default 4000 */
  readonly idle?: number;
  /** @default 5000 */
  readonly connect?: number;
  /** The longest silence before the response's head. @default 240000 */
  readonly response?: number;
  /** The most connections at once. @default 4096 */
  readonly most?: number;
}

/** Node's option for reading into given memory. */
interface OnRead {
  buffer: () => Uint8Array;
  callback(bytes: number, buffer: Uint8Array): boolean;
}

/** Connections to the app, kept and reused, the latest first. */
export class UpstreamPool {
  private readonly free: UpstreamConnection[] = [];
  private readonly all = new Set<UpstreamConnection>();
  private readonly sweep: NodeJS.Timeout;
  private connecting = 0;
  /** The code of the last failed connection. */
  lastFailure = '';
  private readonly limits: { -readonly [Key in keyof PoolOptions]-?: number };

  constructor(
    readonly address: UpstreamAddress,
    options: PoolOptions = {},
  ) {
    this.limits = { idle: 4000, connect: 5000, response: 240_000, most: 4096, ...options };
    // One timer for all: one per request would take longer than the request's own checks.
    this.sweep = setInterval(() => this.tidy(), Math.min(1000, this.limits.response / 4));
    this.sweep.unref();
  }

  /** The app's origin. */
  get url(): string {
    const { host, port, tls: secure } = this.address;
    return `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** The number of connections. */
  get size(): number {
    return this.all.size;
  }

  /** A kept connection, or undefined: then {@link connect}. */
  take(): UpstreamConnection | undefined {
    for (;;) {
      const connection = this.free.pop();
      if (connection === undefined) return undefined;
      if (!connection.socket.destroyed && turnTime() - connection.idleSince < this.limits.idle)
        return connection;
      connection.abandon();
    }
  }

  /**
   * A new connection. @param callback gets undefined if the app cannot be reached or there are too
   * many.
   */
  connect(callback: (connection: UpstreamConnection | undefined) => void): void {
    if (this.all.size + this.connecting >= this.limits.most) {
      process.nextTick(callback, undefined);
      return;
    }
    this.connecting++;
    let connection: UpstreamConnection | undefined;
    const read = (chunk: Buffer): void => connection?.read(chunk);
    const memory = this.address.tls ? undefined : new ReadMemory();
    this.open(
      (socket) => {
        this.connecting--;
        if (socket === undefined) {
          callback(undefined);
          return;
        }
        connection = new UpstreamConnection(socket, memory, this.giveBack, this.forget);
        if (memory === undefined) socket.on('data', read);
        this.all.add(connection);
        callback(connection);
      },
      memory && {
        buffer: memory.buffer,
        callback: (length, buffer) => (read((buffer as Buffer).subarray(0, length)), true),
      },
    );
  }

  /**
   * A bare connection, such as for a protocol other than HTTP (WebSocket). @param onread takes the
   * bytes instead of `data` events
   */
  open(callback: (socket: Socket | undefined, reason?: string) => void, onread?: OnRead): void {
    const { host, port, tls: secure } = this.address;
    const socket = secure
      ? tls.connect({
          host,
          port,
          servername: net.isIP(host) ? '' : host,
          ALPNProtocols: ['http/1.1'],
        })
      : net.connect({ host, port, ...(onread === undefined ? {} : { onread }) });
    socket.setNoDelay(true);
    const late = setTimeout(() => finish(undefined, 'ETIMEDOUT'), this.limits.connect);
    const onError = (error: Error): void => finish(undefined, reasonOf(error));
    const finish = (result: Socket | undefined, reason?: string): void => {
      clearTimeout(late);
      socket.off(secure ? 'secureConnect' : 'connect', onConnect);
      socket.off('error', onError);
      if (result === undefined) {
        socket.on('error', () => socket.destroy());
        socket.destroy();
      }
      if (reason !== undefined) this.lastFailure = reason;
      callback(result, reason);
    };
    const onConnect = (): void => finish(socket);
    socket.once(secure ? 'secureConnect' : 'connect', onConnect);
    socket.once('error', onError);
  }

  /** Whether the app accepts connections now. @throws Failure */
  ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.open((socket, reason = 'unknown reason') => {
        socket?.destroy();
        if (socket === undefined) reject(new Failure(reason, this.url));
        else resolve();
      });
    });
  }

  /** Closes the kept connections; those in use close after their exchange. */
  close(): void {
    clearInterval(this.sweep);
    this.limits.idle = 0;
    for (const connection of this.free.splice(0)) connection.abandon();
  }

  private readonly giveBack = (connection: UpstreamConnection): void => {
    if (this.limits.idle === 0) {
      connection.abandon();
      return;
    }
    connection.idleSince = turnTime();
    this.free.push(connection);
  };

  private readonly forget = (connection: UpstreamConnection): void => {
    this.all.delete(connection);
    const index = this.free.indexOf(connection);
    if (index >= 0) this.free.splice(index, 1);
  };

  private tidy(): void {
    const now = turnTime();
    for (const connection of this.all) connection.giveUpAfter(this.limits.response, now);
    while (this.free[0] !== undefined && now - this.free[0].idleSince >= this.limits.idle)
      this.free.shift()?.abandon();
  }
}
