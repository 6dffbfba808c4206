import type { SourceLocation } from '../../core/findings/finding.js';
import type { ReadResult } from '../../core/source/read-source.js';
import type { ConfigPath, Layers } from '../../core/yaml/layers.js';
import type { StackConfig } from '../../kinds/stack/schema.js';

/** A stack as its files declare it, before anything in it is judged: run `checkStack` before relying on its shape. */
export interface LoadedStack {
  /** What is declared; `${env:NAME}` references stand in it as they are written. */
  readonly config: StackConfig;
  /**
   * The place of a value; where it is missing, of the key of the nearest thing around it.
   *
   * @param at `key` for the place of the key rather than of the value.
   */
  locate(path: ConfigPath, at?: 'value' | 'key'): SourceLocation | undefined;
  /** Reads a file that the configuration names, seen from its folder. */
  readonly readFile: (file: string) => ReadResult;
  /** The files that it was read from, the base first. */
  readonly files: readonly string[];
  /** The environment whose overlay is laid over it. */
  readonly environment?: string;
  /** The documents behind it, for what edits or reads comments. */
  readonly layers: Layers;
}
