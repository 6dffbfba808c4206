import { type ChildProcess, spawn } from 'node:child_process';
import net, { type AddressInfo } from 'node:net';

/** A running proxy under load, and the processes that belong to it. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  readonly processes: readonly ChildProcess[];
}

/** A peer with a path at which a browser starts to sign in. */
export interface AuthPeer extends Peer {
  readonly signInPath: string;
}

/** The app behind all peers, their identity provider, and the folder for their files. */
export interface Testbed {
  readonly directory: string;
  /** The port of the app. */
  readonly originPort: number;
  /** The address of the identity provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The script of the castellan command. */
  readonly cli: string;
}

/** The core of the measured processes. */
export const proxyCore = '0';
/** The core of the app and of the program that sends requests. */
export const loadGeneratorCore = '1';

/** A port of 127.0.0.1 that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a command on one core. */
export function spawnOnCore(core: string, command: string, args: readonly string[]): ChildProcess {
  return spawn('taskset', ['-c', core, command, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Waits until something listens on a port. @throws Error after 20 seconds */
export async function waitUntilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = net.connect(port, '127.0.0.1', () => done(true));
      socket.on('error', () => done(false)).on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}
