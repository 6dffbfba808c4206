import { type MessagePort, parentPort } from 'node:worker_threads';
import { isCastellanError } from '../core/errors/castellan-error.js';
import type { PackConfig } from '../kinds/policy/schema.js';
import { type LoadedPack, loadPacks } from './packs/load-packs.js';
import type { PackInput, PackJudgement, RuleDescription } from './packs/messages.js';

/** The packs of a policy, and a stack that they judge. */
export interface PackRequest {
  readonly packs: readonly PackConfig[];
  /** The folder of the policy. */
  readonly folder: string;
  /** The ids of Castellan's own rules. */
  readonly reserved: readonly string[];
  readonly input: PackInput;
}

/** The results of each pack, or why there are none. */
export type PackResults =
  | {
      readonly packs: readonly (PackJudgement & {
        readonly name: string;
        readonly rules: readonly RuleDescription[];
      })[];
    }
  | { readonly error: { readonly code?: string; readonly message: string } };

/** A message to this thread. */
export interface PackMessage {
  readonly request: PackRequest;
  /** Gets the results. */
  readonly port: MessagePort;
  /** Becomes 1, and wakes its waiter, once the results are there. */
  readonly done: Int32Array;
}

/** The running packs, by what was asked for. */
const running = new Map<string, Promise<readonly LoadedPack[]>>();

async function judge({ input, ...asked }: PackRequest): Promise<PackResults> {
  try {
    const key = JSON.stringify(asked);
    const loading = running.get(key) ?? loadPacks(asked.packs, asked.folder, asked.reserved);
    running.set(key, loading);
    const loaded = await loading;
    const results = loaded.map(async (pack) => ({
      name: pack.name,
      rules: pack.rules,
      ...(await pack.run(input)),
    }));
    return { packs: await Promise.all(results) };
  } catch (error) {
    if (isCastellanError(error)) return { error: { code: error.code, message: error.message } };
    return { error: { message: String(error) } };
  }
}

parentPort?.on('message', ({ request, port, done }: PackMessage) => {
  void judge(request).then((results) => {
    port.postMessage(results);
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
});
