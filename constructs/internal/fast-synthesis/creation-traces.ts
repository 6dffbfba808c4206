// Formats where tokens were created when someone reads it: a fifth of what cdktf takes to construct and synthesize 10,000 resources.

import { isCastellanError } from '../../../core/errors/castellan-error.js';
import { creationTraces } from '../cdktf.js';

/** Whether the synthesis that runs is a second one, after an error. */
let isRepeated = false;

/** Whether creation traces are taken. */
const isSwitchedOff = process.env['CASTELLAN_SYNTH'] === 'plain';

/** Whether the fast synthesis is switched off. */
export const isPlainSynthesis = (): boolean => isRepeated || isSwitchedOff;

/** The record of where a token was created: text that is formatted on first access, or nothing. */
let traces: 'formatted later' | 'none' = 'formatted later';

let isReplaced = false;

/** Replaces how cdktf takes the creation stack of a token: formatting it at once is two thirds of the time of construction. */
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
 * Creates and synthesizes an app without creation stacks, which only error messages contain. After an error the app is created again by
 * cdktf alone, so that the message has them.
 *
 * @param run makes the app as well: it must be repeatable.
 */
export function withoutTraces<Result>(run: () => Result): Result {
  if (isPlainSynthesis()) return run();
  formatTracesLater();
  traces = 'none';
  try {
    return run();
  } catch (error) {
    if (isCastellanError(error)) throw error; // says where by itself
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
