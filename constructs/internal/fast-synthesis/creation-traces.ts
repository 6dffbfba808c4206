// Formats the creation traces of tokens on first use: cdktf spends a fifth of the time to construct
// and synthesize 10,000 resources on them.

import { isCastellanError } from '../../../core/errors/castellan-error.js';
import { creationTraces } from '../cdktf.js';

/** Whether this synthesis repeats a failed one. */
let isRepeated = false;

/** Whether creation traces are recorded. */
const isSwitchedOff = process.env['CASTELLAN_SYNTH'] === 'plain';

/** Whether fast synthesis is disabled. */
export const isPlainSynthesis = (): boolean => isRepeated || isSwitchedOff;

/** The creation trace of a token: text that is formatted on first access, or nothing. */
let traces: 'formatted later' | 'none' = 'formatted later';

let isReplaced = false;

/**
 * Replaces how cdktf records the creation trace of a token: formatting it at once takes two thirds
 * of the time of construction.
 */
export function formatTracesLater(): void {
  if (isReplaced) return;
  isReplaced = true;
  const { captureStackTrace } = creationTraces;
  const replacement: typeof captureStackTrace = (below = replacement) => {
    if (isPlainSynthesis()) return captureStackTrace(below);
    return traces === 'none' ? [] : laterTrace(below);
  };
  creationTraces.captureStackTrace = replacement;
}

/** The lines of the stack below a function, formatted on first access. */
function laterTrace(below: Parameters<typeof Error.captureStackTrace>[1]): string[] {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.MAX_SAFE_INTEGER;
  Error.captureStackTrace(holder, below);
  Error.stackTraceLimit = limit;
  return new Proxy<string[]>([], {
    get: (lines, key): unknown => {
      const [, ...frames] = holder.stack?.split('\n') ?? [];
      delete holder.stack;
      lines.push(...frames.map((line) => line.replace(/^\s*at\s+/, '')));
      return Reflect.get(lines, key);
    },
  });
}

/**
 * Creates and synthesizes an app without creation traces, which only error messages contain. After
 * an error, the app is created again by cdktf alone, so that the message has them.
 *
 * @param run also creates the app, and must be repeatable.
 */
export function withoutTraces<Result>(run: () => Result): Result {
  if (isPlainSynthesis()) return run();
  formatTracesLater();
  traces = 'none';
  try {
    return run();
  } catch (error) {
    if (isCastellanError(error)) throw error; // has its own location
  } finally {
    traces = 'formatted later';
  }
  isRepeated = true;
  try {
    return run();
  } finally {
    isRepeated = false;
  }
}
