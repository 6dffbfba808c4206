import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { SourceLocation } from '../../../core/findings/finding.js';

/** A mistake in the configuration: the path of the property, and what is wrong. */
export interface ConfigProblem {
  /**
   * Such as `identityProviders.gitHub.registration.clientId`; the file itself if it cannot be
   * parsed.
   */
  readonly property: string;
  readonly message: string;
  /** The message without names of secrets, for the log of a refused reload. @default message */
  readonly redactedMessage?: string;
  /** Where it is in the file, if the file has it. */
  readonly location?: SourceLocation;
}

/** One line about a problem, such as `auth.yaml:7:15 login.sessions.keptBy: must be one of …`. */
export function problemLine({ property, message, location }: ConfigProblem): string {
  const { file, line, column } = location ?? {};
  const place = file === undefined ? '' : `${file}:${String(line)}:${String(column)} `;
  return `${place}${property === file ? '' : `${property}: `}${message}`;
}

/** The error of a refused configuration, with all its problems. */
export function configError(file: string, problems: readonly ConfigProblem[]): CastellanError {
  const lines = problems.map((each) => `  ${problemLine(each)}`);
  return new CastellanError('CAS6001', `${file}\n${lines.join('\n')}`, {
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

/** The problems in a configuration error in one line for the log, without names of secrets. */
export function redactedProblems(error: unknown): string {
  return problemsOf(error)
    .map(({ property, message, redactedMessage }) => `${property}: ${redactedMessage ?? message}`)
    .join('; ');
}
