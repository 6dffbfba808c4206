import net, { type OnReadOpts, type Socket } from 'node:net';
import tls from 'node:tls';
import { parseOrigin } from '../http/origin.js';
import { ExternalCallError, reasonOf } from '../operations/external-call-error.js';
import { UpstreamConnection } from './connection.js';

/** Address of the app. */
export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

/** Parses `--upstream`. @throws CAS6004 for anything but an http(s) origin. */
export function parseUpstream(text: string): UpstreamAddress {
  const { protocol, hostname, port } = parseOrigin('--upstream', text, 'http://127.0.0.1:8080');
  const secure = protocol === 'https:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (secure ? 443 : 80)),
    tls: secure,
  };
}

/** Options of the pool; times in milliseconds. */
export interface PoolOptions {
  /**
   * How long an unused connection is kept: usual servers close it after 5 s. @default 4000
   */
  readonly idleTimeoutMs?: number;
  /** @default 5000 */
  readonly connectTimeoutMs?: number;
  /** The most connections at once. @default 4096 */
  readonly maxConnections?: number;
}

/** The memory of a connection to read into, in bytes: by default Node takes new memory for each read. */
const readBufferBytes = 64 * 1024;

/** Connections to the app, which are kept and reused: the one used last comes first. */
export class UpstreamPool {
  private readonly idle: UpstreamConnection[] = [];
  private readonly connections = new Set<UpstreamConnection>();
  private pendingCount = 0;
  /** The system's error code of the last connection that failed. */
  lastFailure = '';
  private readonly limits: { -readonly [Key in keyof PoolOptions]-?: number };

  constructor(
    readonly address: UpstreamAddress,
    options: PoolOptions = {},
  ) {
    this.limits = { idleTimeoutMs: 4000, connectTimeoutMs: 5000, maxConnections: 4096, ...options };
  }

  /** The app's origin. */
  get url(): string {
    const { host, port, tls: secure } = this.address;
    return `${secure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** The number of connections. */
  get size(): number {
    return this.connections.size;
  }

  /** An idle connection; undefined if there is none: then {@link connect} opens one. */
  take(): UpstreamConnection | undefined {
    for (;;) {
      const connection = this.idle.pop();
      if (connection === undefined || !connection.socket.destroyed) return connection;
    }
  }

  /**
   * Opens a connection. @param callback gets undefined if the app cannot be reached or there are
   * too many
   */
  connect(callback: (connection: UpstreamConnection | undefined) => void): void {
    if (this.connections.size + this.pendingCount >= this.limits.maxConnections) {
      process.nextTick(callback, undefined);
      return;
    }
    this.pendingCount++;
    let connection: UpstreamConnection | undefined;
    const buffer = Buffer.allocUnsafeSlow(readBufferBytes);
    const read = (length: number): boolean => {
      connection?.read(buffer.subarray(0, length));
      return true;
    };
    this.open(
      (socket) => {
        this.pendingCount--;
        connection = socket && new UpstreamConnection(socket, this.keepOrClose, this.forget);
        if (connection !== undefined) this.connections.add(connection);
        callback(connection);
      },
      { buffer, callback: read },
    );
  }

  /**
   * Opens a bare socket, such as for a protocol other than HTTP (WebSocket).
   *
   * @param onread the buffer to read into and the function that gets the bytes, in place of `data`
   *   events; ignored for TLS, which always emits `data`
   */
  open(callback: (socket: Socket | undefined, reason?: string) => void, onread?: OnReadOpts): void {
    const { host, port, tls: secure } = this.address;
    const socket = secure
      ? tls.connect({
          host,
          port,
          servername: net.isIP(host) ? '' : host,
          ALPNProtocols: ['http/1.1'],
        })
      : net.connect({ host, port, ...(onread && { onread }) });
    socket.setNoDelay(true);
    const deadline = setTimeout(() => finish(undefined, 'ETIMEDOUT'), this.limits.connectTimeoutMs);
    const onError = (error: Error): void => finish(undefined, reasonOf(error));
    const finish = (result: Socket | undefined, reason?: string): void => {
      clearTimeout(deadline);
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

  /** Checks that the app accepts connections now. @throws ExternalCallError */
  checkReachable(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.open((socket, reason = 'unknown reason') => {
        socket?.destroy();
        if (socket === undefined) reject(new ExternalCallError(reason, this.url));
        else resolve();
      });
    });
  }

  /** Closes the kept connections; those in use close after their exchange. */
  close(): void {
    this.limits.idleTimeoutMs = 0;
    for (const connection of this.idle.splice(0)) connection.abandon();
  }

  private readonly keepOrClose = (connection: UpstreamConnection): void => {
    if (this.limits.idleTimeoutMs === 0) {
      connection.abandon();
      return;
    }
    connection.keepIdle(this.limits.idleTimeoutMs);
    this.idle.push(connection);
  };

  private readonly forget = (connection: UpstreamConnection): void => {
    this.connections.delete(connection);
    const index = this.idle.indexOf(connection);
    if (index >= 0) this.idle.splice(index, 1);
  };
}
