import type { SourceLocation } from '../findings/finding.js';
import type { fileMistakes } from './file-mistakes.js';

/** The mistakes that a file can have before validation. */
export type ProblemId = keyof typeof fileMistakes;

/** One mistake in a file, with its place. */
export interface Problem {
  readonly id: ProblemId;
  readonly message: string;
  readonly location: SourceLocation;
}
