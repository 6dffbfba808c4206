import { describeMove } from './plan-summary.js';
import type { StackPlan } from './plan-stacks.js';
import type { StateMove } from './session.js';

/** What a command had done before it was declined or refused. */
export interface DoneSoFar {
  /** The plans that were applied. */
  readonly plans: readonly StackPlan[];
  /** The moves between states. @default none */
  readonly moves?: readonly StateMove[] | undefined;
}

/**
 * What was done before the rest was declined, for its message: `nothing was changed`, or what was.
 *
 * @example describeDone({ plans: [] }) // 'nothing was changed'
 */
export function describeDone({ plans, moves = [] }: DoneSoFar): string {
  const names = plans.filter(({ isClean }) => !isClean).map(({ stack }) => stack.name);
  const done = [
    ...(names.length === 0
      ? []
      : [`${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} changed`]),
    ...(moves.length === 0
      ? []
      : [`resources were moved between states (${moves.map(describeMove).join('; ')})`]),
  ];
  return done.length === 0 ? 'nothing was changed' : `only ${done.join(', and ')}`;
}
