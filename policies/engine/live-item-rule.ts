import type { ReadResult } from '../../core/source/read-source.js';
import type { LiveDefinition, LiveItem } from '../model/live-items-reader.js';
import type { LiveReport, LiveRule } from './live-rule.js';
import type { Declaration } from './stack-index.js';

/** What a live rule about items is shown: a declared workspace, eventhouse or eventstream, and what the service has of it. */
export interface LiveItemSubject {
  readonly declaration: Declaration<'workspaces'> | Declaration<'eventhouses'> | Declaration<'eventstreams'>;
  /** Undefined where the service has none of that name. */
  readonly item: LiveItem | undefined;
  /** The names of those of the same kind and place that no one declares: one of them may be the declared one, renamed. */
  readonly extras: readonly string[];
  /** The definition that the service has; undefined where the caller may not read it. */
  definition(): Promise<LiveDefinition | undefined>;
  /** Reads a file that the configuration names. */
  readonly readFile: ((file: string) => ReadResult) | undefined;
}

/** A rule about what lives in workspaces, rather than about what is declared. */
export interface LiveItemRule extends Omit<LiveRule, 'check'> {
  check(subject: LiveItemSubject, report: (report: LiveReport) => void): void | Promise<void>;
}
