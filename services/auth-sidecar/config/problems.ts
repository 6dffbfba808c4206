import { CastellanError } from '../../../core/errors/castellan-error.js';

/** One thing wrong with the configuration: the property by its path, and what is wrong. */
export interface ConfigProblem {
  /** Such as `identityProviders.gitHub.registration.clientId`; the file itself when it can't be read as one. */
  readonly property: string;
  readonly message: string;
  /** A message for the log of a refused reload; leaves out names of secrets. @default message */
  readonly quiet?: string;
}

/** The error of a configuration that is not taken, with all its problems. */
export function configError(file: string, problems: readonly ConfigProblem[]): CastellanError {
  const lines = problems.map(({ property, message }) => `${property}: ${message}`);
  return new CastellanError('CAS6001', `${file}\n${lines.map((line) => `  ${line}`).join('\n')}`, { details: { file, problems } });
}

/** The problems that a configuration error carries, or its message where it carries none. */
export function problemsOf(error: unknown): readonly ConfigProblem[] {
  if (error instanceof CastellanError && Array.isArray(error.details['problems'])) return error.details['problems'] as ConfigProblem[];
  return [{ property: 'configuration', message: error instanceof Error ? error.message : String(error) }];
}
