import { CastellanError } from '../../../core/errors/castellan-error.js';

/** A mistake in the configuration: the path of the property, and what is wrong. */
export interface ConfigProblem {
  /**
   * Such as `identityProviders.gitHub.registration.clientId`; the file itself if it cannot be
   * parsed.
   */
  readonly property: string;
  readonly message: string;
  /** A message for the log of a refused reload, without names of secrets. @default message */
  readonly quiet?: string;
}

/** The error of a refused configuration, with all its problems. */
export function configError(file: string, problems: readonly ConfigProblem[]): CastellanError {
  const lines = problems.map(({ property, message }) => `${property}: ${message}`);
  return new CastellanError('CAS6001', `${file}\n${lines.map((line) => `  ${line}`).join('\n')}`, {
    details: { file, problems },
  });
}

/** The problems in a configuration error, or its message if it has none. */
export function problemsOf(error: unknown): readonly ConfigProblem[] {
  if (error instanceof CastellanError && Array.isArray(error.details['problems']))
    return error.details['problems'] as ConfigProblem[];
  return [
    { property: 'configuration', message: error instanceof Error ? error.message : String(error) },
  ];
}
