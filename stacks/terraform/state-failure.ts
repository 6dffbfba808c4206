import type { StateOutcome } from './state-keeper.js';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** The outcome of a run whose state Terraform could not write, as a message. */
export function describeStateOutcome(
  outcome: Exclude<StateOutcome, 'intact'>,
  path: string,
): string {
  switch (outcome) {
    case 'recovered':
      return `${path} was not written completely; it was restored from the copy that Terraform kept: nothing is lost`;
    case 'restored':
      return `${path} was not written completely; it was restored to its content before the run`;
    case 'lost':
      return `${path} was not written completely, and there was none before: it was moved to ${path}.broken, and the stack begins without a state`;
  }
}

/**
 * The error of a run whose state could not be written.
 *
 * @param completedActions the completed actions of the run, which the state may not contain.
 */
export function incompleteStateError(
  outcome: Exclude<StateOutcome, 'intact'>,
  path: string,
  completedActions: readonly string[],
  cause: unknown,
): CastellanError {
  const lostActions =
    outcome === 'recovered' || completedActions.length === 0
      ? []
      : [
          'It does not contain what the run did. In the sandbox, the next `castellan up` adopts these objects; elsewhere, `terraform import` does:',
          ...completedActions.map((line) => `  - ${line}`),
        ];
  const causeMessage = cause instanceof Error ? [cause.message] : [];
  return new CastellanError(
    'CAS2107',
    [describeStateOutcome(outcome, path), ...lostActions, ...causeMessage].join('\n'),
    { cause },
  );
}

/**
 * The error of a run after which its state could not be read or restored.
 *
 * @param failure the failure of the run itself; undefined if it succeeded.
 */
export function unrestoredStateError(
  path: string,
  cause: unknown,
  failure: unknown,
): CastellanError {
  const reasons = [cause, failure].flatMap((each) => (each instanceof Error ? [each.message] : []));
  return new CastellanError(
    'CAS2107',
    [`${path} may be incomplete, and could not be restored`, ...reasons].join('\n'),
    { cause: failure ?? cause },
  );
}
