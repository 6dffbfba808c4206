import type { ReadResult } from '../../core/source/read-source.js';
import type { LiveDefinition, LiveItem } from '../model/live-items-reader.js';
import type { LiveReport, LiveRule } from './live-rule.js';
import type { Declaration } from './stack-index.js';

/**
 * The input of a live rule about items: a declared workspace, eventhouse or eventstream, and the
 * live one.
 */
export interface LiveItemSubject {
  readonly declaration:
    Declaration<'workspaces'> | Declaration<'eventhouses'> | Declaration<'eventstreams'>;
  /** Undefined if the service has none of that name. */
  readonly item: LiveItem | undefined;
  /**
   * The names of undeclared items of the same kind and parent, one of which may be the declared one
   * under a new name.
   */
  readonly undeclaredNames: readonly string[];
  /** The live definition; undefined if the caller may not read it. */
  definition(): Promise<LiveDefinition | undefined>;
  /** Reads a file that the configuration refers to. */
  readonly readFile: ((file: string) => ReadResult) | undefined;
}

/** A rule about live workspace items, not about declarations. */
export interface LiveItemRule extends Omit<LiveRule, 'check'> {
  check(subject: LiveItemSubject, report: (report: LiveReport) => void): void | Promise<void>;
}
