import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { writePageToken } from '../../common/page-token.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { contextUrl } from '../kernel/object-list.js';
import type { Directory } from '../kernel/directory.js';
import { checkSelect } from '../kernel/presentation.js';
import type { FilterNode } from '../odata/index.js';
import { changedPage } from './changed-page.js';
import { deltaLimits, type DeltaPage, type DeltaSource } from './delta-page.js';
import { decodeDeltaToken, type DeltaState, expiredToken } from './delta-token.js';
import { initialPage } from './initial-page.js';

/**
 * Answers a delta query: first all objects, page by page; then, with the delta link, the changes
 * since. A page shows the state when it is read, and the delta link starts where the round started,
 * so no change is lost in between.
 */
export async function answerDeltaQuery(
  request: DirectoryRequest,
  source: DeltaSource,
): Promise<Reply> {
  const { directory, options } = request;
  const deltaUrl = `${request.base}/${source.type.collection}/delta`;
  const state = await requestedState(request, source, deltaUrl);
  const { round } = state;
  if (round === undefined) return deltaReply(request, source, { value: [] }, state, deltaUrl);
  const page =
    round.fromChange === undefined
      ? await initialPage(request, source, state, round)
      : await changedPage(request, source, state, round);
  if (options.deltatoken !== undefined) await directory.changes.prune(directory.clock.now());
  return deltaReply(request, source, page, state, deltaUrl);
}

/** The state of a request: that of its token, or for a first request a new one from its options. */
async function requestedState(
  request: DirectoryRequest,
  source: DeltaSource,
  deltaUrl: string,
): Promise<DeltaState> {
  const { directory, options } = request;
  const now = directory.clock.now();
  const decodeState = (token: string): DeltaState => {
    const state = decodeDeltaToken(token, now, deltaUrl);
    checkOptions(directory, source, state);
    return state;
  };
  if (options.skiptoken !== undefined) return decodeState(options.skiptoken);
  const latest = await directory.changes.latest();
  if (options.deltatoken !== undefined && options.deltatoken.toLowerCase() !== 'latest') {
    const previous = decodeState(options.deltatoken);
    if (previous.upToChange > latest) throw expiredToken(deltaUrl);
    const round = { fromChange: previous.upToChange, afterObject: 0 };
    return { ...previous, upToChange: latest, issuedAt: now.getTime(), round };
  }
  if (
    options.top !== undefined ||
    options.orderby ||
    options.search ||
    options.count ||
    options.expand
  )
    throw badRequest(
      'Delta queries support $select, and $filter by ids; not $top, $orderby, $search, $count or $expand.',
    );
  const requestedOptions = omitUndefined({
    select: options.select,
    ids: options.filter && idsOfFilter(options.filter),
  });
  checkOptions(directory, source, requestedOptions);
  const start = { upToChange: latest, issuedAt: now.getTime(), ...requestedOptions };
  return options.deltatoken === undefined ? { ...start, round: { afterObject: 0 } } : start;
}

/**
 * Refuses properties that cannot be selected, and too many ids. Also checks what a token contains,
 * since tokens are not signed.
 */
function checkOptions(
  directory: Directory,
  { type }: DeltaSource,
  { select, ids = [] }: Pick<DeltaState, 'select' | 'ids'>,
): void {
  checkSelect(directory, type, select, 'list');
  if (ids.length > deltaLimits.ids)
    throw badRequest(`A delta query follows at most ${deltaLimits.ids} ids.`);
}

function deltaReply(
  request: DirectoryRequest,
  source: DeltaSource,
  page: DeltaPage,
  state: DeltaState,
  deltaUrl: string,
): Reply {
  const { round: _round, ...stateWithoutRound } = state;
  const link = page.next
    ? {
        '@odata.nextLink': `${deltaUrl}?$skiptoken=${writePageToken({ ...state, round: page.next })}`,
      }
    : { '@odata.deltaLink': `${deltaUrl}?$deltatoken=${writePageToken(stateWithoutRound)}` };
  const contextOptions = state.select ? { count: false, select: state.select } : { count: false };
  return ok({
    '@odata.context': contextUrl(request, source.type.collection, contextOptions),
    ...link,
    value: page.value,
  });
}

/**
 * The ids of `id eq 'a' or id eq 'b'`, the only filter of delta queries.
 *
 * @throws DirectoryError 400 for anything else.
 */
function idsOfFilter(filter: FilterNode): string[] {
  const ids = idsOfNode(filter);
  if (ids === undefined)
    throw badRequest("Delta queries are filtered by ids only: id eq '…' or id eq '…'.");
  return ids;
}

function idsOfNode(node: FilterNode): string[] | undefined {
  if (node.kind === 'or') {
    const lists = node.operands.map(idsOfNode);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  const isIdComparison =
    (node.kind === 'compare' || node.kind === 'in') && node.path.segments.join('/') === 'id';
  if (!isIdComparison) return undefined;
  if (node.kind === 'in') return node.values.map((value) => String(value.value).toLowerCase());
  return node.operator === 'eq' ? [String(node.value.value).toLowerCase()] : undefined;
}
