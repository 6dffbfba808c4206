import { readPageToken } from '../../common/page-token.js';
import { DirectoryError, badRequest } from '../http/answers.js';
import { changesKeptForDays } from '../store/changes.js';

/** The content of a delta token: the options of the first request and the client's position. */
export interface DeltaState {
  /** The `$select` of the first request. */
  readonly select?: readonly string[];
  /** The ids in `$filter`. */
  readonly ids?: readonly string[];
  /** The last change that the client has, or will have when the current round ends. */
  readonly upTo: number;
  /** When the token was issued, in milliseconds. */
  readonly at: number;
  /** The current round of pages. Absent in a delta link. */
  readonly round?: Round;
}

/** A round of pages: all objects (`from` is absent), or the changes after `from`. */
export interface Round {
  readonly from?: number;
  /** The last object on the previous page. */
  readonly after: number;
  /** The remaining references of a large object. */
  readonly rest?: { readonly number: number; readonly relation: number; readonly after: number };
}

/**
 * Parses a token.
 *
 * @param restart the address at which a client with an expired token starts again.
 * @throws DirectoryError 400 for a foreign token, 410 for an expired one.
 */
export function decodeDeltaToken(token: string, now: Date, restart: string): DeltaState {
  const state = readPageToken(token);
  if (!isState(state))
    throw badRequest(
      'The delta token is not valid: send one of this service, whole and unchanged.',
    );
  if (now.getTime() - state.at > changesKeptForDays * 86_400_000) throw expiredToken(restart);
  return state;
}

/** 410: the client must start again. */
export function expiredToken(restart: string): DirectoryError {
  return new DirectoryError(
    410,
    'syncStateNotFound',
    'The delta token has expired. Begin again without a token.',
    undefined,
    {
      location: restart,
    },
  );
}

function isState(value: unknown): value is DeltaState {
  const state = value as Partial<DeltaState> | null | undefined;
  const list = (each: unknown): boolean =>
    each === undefined || (Array.isArray(each) && each.every((one) => typeof one === 'string'));
  return (
    typeof state === 'object' &&
    state !== null &&
    Number.isSafeInteger(state.upTo) &&
    Number.isSafeInteger(state.at) &&
    list(state.select) &&
    list(state.ids) &&
    (state.round === undefined || isRound(state.round))
  );
}

function isRound(value: unknown): value is Round {
  const { from, after, rest } = (value ?? {}) as Partial<Round>;
  const numbers = [
    after,
    ...(from === undefined ? [] : [from]),
    ...(rest === undefined ? [] : [rest?.number, rest?.relation, rest?.after]),
  ];
  return numbers.every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
}
