import { readPageToken } from '../../common/page-token.js';
import { DirectoryError, badRequest } from '../http/answers.js';
import { changesKeptForDays } from '../store/changes.js';
import { isRowNumber } from '../store/sql.js';

/** The content of a delta token: the options of the first request and the client's position. */
export interface DeltaState {
  /** The `$select` of the first request. */
  readonly select?: readonly string[];
  /** The ids in `$filter`. */
  readonly ids?: readonly string[];
  /** The number of the last change that the client has, or has when the current round ends. */
  readonly upToChange: number;
  /** When the token was issued, in milliseconds. */
  readonly issuedAt: number;
  /** The current round of pages. Absent in a delta link. */
  readonly round?: DeltaRound;
}

/**
 * A round of pages: all objects, or with `fromChange` the changes after it. Objects are in the
 * order of their numbers in the store.
 */
export interface DeltaRound {
  /** The number of the last change that the client has. */
  readonly fromChange?: number;
  /** The number of the last object on the previous page; 0 before the first. */
  readonly afterObject: number;
  /** Where an object continues that has more references than fit on the previous page. */
  readonly rest?: {
    /** The number of the object. */
    readonly object: number;
    /** The index of the relation among the followed ones. */
    readonly relation: number;
    /** The number of the last referenced object on the previous page. */
    readonly afterTarget: number;
  };
}

/**
 * Parses a token.
 *
 * @param restartUrl the address at which a client with an expired token starts again.
 * @throws DirectoryError 400 for a token of another service, 410 for an expired one.
 */
export function decodeDeltaToken(token: string, now: Date, restartUrl: string): DeltaState {
  const state = readPageToken(token);
  if (!isDeltaState(state))
    throw badRequest(
      'The delta token is not valid: send one of this service, whole and unchanged.',
    );
  if (now.getTime() - state.issuedAt > changesKeptForDays * 86_400_000)
    throw expiredToken(restartUrl);
  return state;
}

/** 410: the client must start again. */
export function expiredToken(restartUrl: string): DirectoryError {
  return new DirectoryError(
    410,
    'syncStateNotFound',
    'The delta token has expired. Start again without a token.',
    undefined,
    {
      location: restartUrl,
    },
  );
}

function isDeltaState(value: unknown): value is DeltaState {
  const state = value as Partial<DeltaState> | null | undefined;
  const isStringList = (each: unknown): boolean =>
    each === undefined || (Array.isArray(each) && each.every((one) => typeof one === 'string'));
  return (
    typeof state === 'object' &&
    state !== null &&
    isRowNumber(state.upToChange) &&
    Number.isSafeInteger(state.issuedAt) &&
    isStringList(state.select) &&
    isStringList(state.ids) &&
    (state.round === undefined || isRound(state.round))
  );
}

function isRound(value: unknown): value is DeltaRound {
  const { fromChange, afterObject, rest } = (value ?? {}) as Partial<DeltaRound>;
  const numbers = [
    afterObject,
    ...(fromChange === undefined ? [] : [fromChange]),
    ...(rest === undefined ? [] : [rest?.object, rest?.relation, rest?.afterTarget]),
  ];
  return numbers.every(isRowNumber);
}
