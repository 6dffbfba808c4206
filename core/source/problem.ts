import type { SourceLocation } from '../findings/finding.js';

/** The mistakes that a file can have before validation. */
export type ProblemId =
  | 'config-unreadable'
  | 'config-encoding'
  | 'config-too-large'
  | 'config-empty'
  | 'config-syntax'
  | 'config-duplicate-key'
  | 'config-tab'
  | 'config-tag'
  | 'config-alias'
  | 'config-depth'
  | 'config-include'
  | 'config-overlay'
  | 'config-backend'
  | 'config-moved'
  | 'config-reference';

/** One mistake in a file, with its place. */
export interface Problem {
  readonly id: ProblemId;
  readonly message: string;
  readonly location: SourceLocation;
}
