import type { LoadedPolicy } from '@open-policy-agent/opa-wasm';
import { memoryLimits } from '../protocol.js';
import { regoBuiltins } from './builtins.js';
import { opaBuiltins } from './opa-builtins.js';
import type { PolicyBundle } from './policy-bundle.js';
import { sprintf } from './sprintf.js';

/** The size of a page of WebAssembly memory, in bytes. */
const pageSize = 64 * 1024;
const entryPoint = 'castellan/deny';

/** A compiled Rego policy, ready to evaluate. */
export class RegoPolicy {
  private constructor(
    private readonly policy: LoadedPolicy,
    /** The policy's current time. */
    private readonly clock: { now: Date },
  ) {}

  /**
   * Loads a policy.
   *
   * @throws Error for a file that is not a policy, or one that calls a missing function.
   */
  static async load({ wasm, data }: PolicyBundle): Promise<RegoPolicy> {
    const { loadPolicy } = await import('@open-policy-agent/opa-wasm');
    const builtins = opaBuiltins();
    // opa-wasm prefers its own builtins to those that it is given: this one is replaced for the
    // whole process of the pack
    builtins['sprintf'] = sprintf;
    const clock = { now: new Date(0) };
    const ruleBuiltins = regoBuiltins(() => clock.now);
    const memory = { initial: 5, maximum: (memoryLimits.rego * 1024 * 1024) / pageSize };
    let policy: LoadedPolicy;
    try {
      policy = await loadPolicy(Buffer.from(wasm), memory, ruleBuiltins);
    } catch (cause) {
      throw new Error(
        `it is no policy that opa build -t wasm -e ${entryPoint} has written: ${errorText(cause)}`,
        { cause },
      );
    }
    const missing = calledBuiltins(policy).filter(
      (name) => builtins[name] === undefined && ruleBuiltins[name] === undefined,
    );
    if (missing.length > 0)
      throw new Error(
        `the policy calls ${missing.join(', ')}, which rules can't: they see the stack and nothing else`,
      );
    policy.setData(data as object);
    return new RegoPolicy(policy, clock);
  }

  /**
   * Evaluates the policy for one input: the results of `castellan/deny`, or of its only entry
   * point.
   */
  evaluate(input: unknown, now: Date): readonly unknown[] {
    this.clock.now = now;
    const point = Object.hasOwn(this.policy.entrypoints as object, entryPoint) ? entryPoint : 0;
    try {
      const answer = this.policy.evaluate(input as object, point) as unknown as readonly {
        readonly result: unknown;
      }[];
      return answer.map(({ result }) => result);
    } catch (cause) {
      throw new Error(errorText(cause), { cause });
    }
  }
}

/** The functions that a policy calls and does not contain. */
function calledBuiltins({ wasmInstance, mem }: LoadedPolicy): readonly string[] {
  const { builtins, opa_json_dump: dump } = (
    wasmInstance as unknown as {
      readonly exports: Readonly<Record<string, (address?: number) => number>>;
    }
  ).exports;
  if (builtins === undefined || dump === undefined) return [];
  const start = dump(builtins());
  const bytes = new Uint8Array((mem as { readonly buffer: ArrayBuffer }).buffer);
  const text = Buffer.from(bytes.subarray(start, bytes.indexOf(0, start))).toString('utf8');
  return Object.keys(JSON.parse(text) as object);
}

/** The text of anything thrown: an error, a text, or an object with a message. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
