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
  deny(process, ['kill', '_kill', '_debugProcess', '_debugEnd'], refusal('send signals'));
  deny(process, ['binding', '_linkedBinding', 'dlopen'], refusal('load native code'));
  deny(v8, ['setFlagsFromString'], refusal('change flags of V8'));
  deny(threads, ['Worker'], refusal('start threads'));
  deny(nodeModule, ['register'], refusal('start threads')); // loaders run in a thread
  if (!granted.includes('fileSystem')) {
    const files = refusal('use the file system', 'fileSystem');
    deny(traces, ['createTracing'], files); // Node 20 allows it to write
    if (isBuiltin('node:sqlite'))
      deny(process.getBuiltinModule('node:sqlite') ?? {}, ['DatabaseSync'], files);
  }
  if (!granted.includes('network')) {
    const network = refusal('use the network', 'network');
    deny(net.Socket.prototype, ['connect'], network);
    deny(net.Server.prototype, ['listen', '_listen2'], network);
    deny(net, ['_createServerHandle'], network);
    // a pipe's handle leads to its class
    const pipe: unknown = Reflect.get(process.stdout, '_handle');
    if (isObject(pipe))
      deny(Object.getPrototypeOf(pipe) as object, ['bind', 'listen', 'connect'], network);
    deny(dgram.Socket.prototype, ['bind', 'connect', 'send'], network);
    deny(dgram, ['createSocket', '_createSocketHandle'], network);
    for (const each of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
      deny(each, functionsOf(each), network);
    deny(globalThis, ['fetch', 'WebSocket', 'EventSource'], network);
  }
  syncBuiltinESMExports();
}

/** The error of a rule that uses something that is not granted. */
function refusal(what: string, permission?: PackPermission): () => never {
  const how =
    permission === undefined ? '' : `; where they must, the policy says so: allow: [${permission}]`;
  // not an arrow function: some of the blocked functions are constructors
  return function refuse(): never {
    throw new Error(`rules can't ${what}${how}`);
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
