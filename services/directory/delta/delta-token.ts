import { readPageToken } from '../../common/page-token.js';
import { DirectoryError, badRequest } from '../http/answers.js';
import { changesKeptForDays } from '../store/changes.js';

/** The content of a delta token: the options of the first request and how far the client has come. */
export interface DeltaState {
  /** `$select` of the first request. */
  readonly select?: readonly string[];
  /** The ids that `$filter` named. */
  readonly ids?: readonly string[];
  /** Everything up to this change is known to the client, or will be when the present round ends. */
  readonly upTo: number;
  /** When the token was given out, in milliseconds. */
  readonly at: number;
  /** The present round: what is given out page by page. Absent in a delta link. */
  readonly round?: Round;
}

/** A round of pages: all objects (`from` is absent), or what changed after `from`. */
export interface Round {
  readonly from?: number;
  /** The last object given out. */
  readonly after: number;
  /** The references of one big object that are still to be given out. */
  readonly rest?: { readonly number: number; readonly relation: number; readonly after: number };
}

/**
 * Reads a token back.
 *
 * @param restart where a client whose token has expired starts again.
 * @throws DirectoryError 400 for a foreign token, 410 for an expired one.
 */
export function decodeDeltaToken(token: string, now: Date, restart: string): DeltaState {
  const state = readPageToken(token);
  if (!isState(state)) throw badRequest('The delta token is not valid: it was not given out by this service.');
  if (now.getTime() - state.at > changesKeptForDays * 86_400_000) throw expiredToken(restart);
  return state;
}

/** 410: the client must start again. */
export function expiredToken(restart: string): DirectoryError {
  return new DirectoryError(410, 'syncStateNotFound', 'The delta token has expired. Begin again without a token.', undefined, {
    location: restart,
  });
}

function isState(value: unknown): value is DeltaState {
  const state = value as Partial<DeltaState> | null | undefined;
  const list = (each: unknown): boolean => each === undefined || (Array.isArray(each) && each.every((one) => typeof one === 'string'));
  const round = state?.round as Partial<Round> | undefined;
  return (
    typeof state === 'object' &&
    state !== null &&
    Number.isSafeInteger(state.upTo) &&
    Number.isSafeInteger(state.at) &&
    list(state.select) &&
    list(state.ids) &&
    (round === undefined || Number.isSafeInteger(round.after))
  );
}
