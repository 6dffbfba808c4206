import type { SourceLocation } from '../../core/findings/finding.js';
import type { ReadResult } from '../../core/source/read-source.js';
import type { ConfigPath, Layers } from '../../core/yaml/layers.js';
import type { StackConfig } from '../../kinds/stack/schema.js';

/**
 * A stack as declared in its files, before validation: run `checkStack` before relying on its
 * shape.
 */
export interface LoadedStack {
  /** The declarations; `${env:NAME}` references are not resolved. */
  readonly config: StackConfig;
  /**
   * The location of a value; if it is missing, that of the closest key above it.
   *
   * @param at `key` for the location of the key instead of the value.
   */
  locate(path: ConfigPath, at?: 'value' | 'key'): SourceLocation | undefined;
  /** Reads a file that the configuration refers to, relative to its folder. */
  readonly readFile: (file: string) => ReadResult;
  /** The files of the stack, the base first. */
  readonly files: readonly string[];
  /** The environment whose overlay is applied. */
  readonly environment?: string;
  /** The parsed documents, for edits and comments. */
  readonly layers: Layers;
}
