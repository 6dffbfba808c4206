import dgram from 'node:dgram';
import dns from 'node:dns';
import nodeModule, { isBuiltin, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import traces from 'node:trace_events';
import v8 from 'node:v8';
import threads from 'node:worker_threads';
import { isObject } from '../../core/values/is-object.js';
import type { PackPermission } from '../../kinds/policy/schema.js';

/**
 * Blocks what Node's permission model still allows: the network, signals to other processes,
 * database and trace files, and threads, which would have no such restrictions. The permission
 * model itself blocks other files, child processes, native addons and the debugger.
 *
 * @param granted the pack's grants in the policy.
 */
export function restrictProcess(granted: readonly PackPermission[]): void {
  deny(process, ['kill', '_kill', '_debugProcess', '_debugEnd'], refusalTo('send signals'));
  deny(process, ['binding', '_linkedBinding', 'dlopen'], refusalTo('load native code'));
  deny(v8, ['setFlagsFromString'], refusalTo('change flags of V8'));
  deny(threads, ['Worker'], refusalTo('start threads'));
  deny(nodeModule, ['register'], refusalTo('start threads')); // loaders run in a thread
  if (!granted.includes('fileSystem')) {
    const refuseFiles = refusalTo('use the file system', 'fileSystem');
    deny(traces, ['createTracing'], refuseFiles); // Node 20 allows it to write
    if (isBuiltin('node:sqlite'))
      deny(process.getBuiltinModule('node:sqlite') ?? {}, ['DatabaseSync'], refuseFiles);
  }
  if (!granted.includes('network')) {
    const refuseNetwork = refusalTo('use the network', 'network');
    deny(net.Socket.prototype, ['connect'], refuseNetwork);
    deny(net.Server.prototype, ['listen', '_listen2'], refuseNetwork);
    deny(net, ['_createServerHandle'], refuseNetwork);
    // a pipe's handle leads to its class
    const pipe: unknown = Reflect.get(process.stdout, '_handle');
    if (isObject(pipe))
      deny(Object.getPrototypeOf(pipe) as object, ['bind', 'listen', 'connect'], refuseNetwork);
    deny(dgram.Socket.prototype, ['bind', 'connect', 'send'], refuseNetwork);
    deny(dgram, ['createSocket', '_createSocketHandle'], refuseNetwork);
    for (const each of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
      deny(each, functionsOf(each), refuseNetwork);
    deny(globalThis, ['fetch', 'WebSocket', 'EventSource'], refuseNetwork);
  }
  syncBuiltinESMExports();
}

/** A function in place of a blocked one: it throws, and names the permission that allows it. */
function refusalTo(action: string, permission?: PackPermission): () => never {
  const hint =
    permission === undefined ? '' : `; where they must, the policy says so: allow: [${permission}]`;
  // not an arrow function: some of the blocked functions are constructors
  return function refuse(): never {
    throw new Error(`rules can't ${action}${hint}`);
  };
}

function functionsOf(value: object): readonly string[] {
  return Object.getOwnPropertyNames(value).filter(
    (name) => name !== 'constructor' && typeof Reflect.get(value, name) === 'function',
  );
}

function deny(target: object, names: readonly string[], refuse: () => never): void {
  for (const name of names)
    if (name in target)
      Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false });
}

/** A failure in words: without the position in the code, and with the grant that would allow it. */
export function failureText(error: unknown): string {
  const { code, permission, message } = (error ?? {}) as {
    readonly code?: unknown;
    readonly permission?: unknown;
    readonly message?: unknown;
  };
  if (code !== 'ERR_ACCESS_DENIED') return typeof message === 'string' ? message : String(error);
  const grant = String(permission).startsWith('FileSystem')
    ? 'fileSystem'
    : permission === 'ChildProcess'
      ? 'childProcesses'
      : undefined;
  const what =
    grant === 'fileSystem'
      ? 'use the file system'
      : grant === 'childProcesses'
        ? 'start programs'
        : `use ${String(permission)}`;
  return `rules can't ${what}${grant === undefined ? '' : `; where they must, the policy says so: allow: [${grant}]`}`;
}
