import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { writePageToken } from '../../common/page-token.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { contextUrl } from '../kernel/collection.js';
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
  const address = `${request.base}/${source.type.collection}/delta`;
  const state = await requestedState(request, source, address);
  const { round } = state;
  if (round === undefined) return answer(request, source, { value: [] }, state, address);
  const page =
    round.fromChange === undefined
      ? await initialPage(request, source, state, round)
      : await changedPage(request, source, state, round);
  if (options.deltatoken !== undefined) await directory.changes.prune(directory.clock.now());
  return answer(request, source, page, state, address);
}

/** What a request asks for: by its token, or as a first request by its options. */
async function requestedState(
  request: DirectoryRequest,
  source: DeltaSource,
  address: string,
): Promise<DeltaState> {
  const { directory, options } = request;
  const now = directory.clock.now();
  const stateIn = (token: string): DeltaState => {
    const state = decodeDeltaToken(token, now, address);
    checkOptions(directory, source, state);
    return state;
  };
  if (options.skiptoken !== undefined) return stateIn(options.skiptoken);
  const latest = await directory.changes.latest();
  if (options.deltatoken !== undefined && options.deltatoken.toLowerCase() !== 'latest') {
    const known = stateIn(options.deltatoken);
    if (known.upToChange > latest) throw expiredToken(address);
    const round = { fromChange: known.upToChange, afterObject: 0 };
    return { ...known, upToChange: latest, issuedAt: now.getTime(), round };
  }
  if (
    options.top !== undefined ||
    options.orderby ||
    options.search ||
    options.count ||
    options.expand
  )
    throw badRequest(
      'Delta queries take $select, and $filter by ids; not $top, $orderby, $search, $count or $expand.',
    );
  const asked = omitUndefined({
    select: options.select,
    ids: options.filter && filteredIds(options.filter),
  });
  checkOptions(directory, source, asked);
  const start = { upToChange: latest, issuedAt: now.getTime(), ...asked };
  return options.deltatoken === undefined ? { ...start, round: { afterObject: 0 } } : start;
}

/** Refuses what a delta query can't select or follow; tokens aren't signed, so theirs is checked too. */
function checkOptions(
  directory: Directory,
  { type }: DeltaSource,
  { select, ids = [] }: Pick<DeltaState, 'select' | 'ids'>,
): void {
  checkSelect(directory, type, select, 'list');
  if (ids.length > deltaLimits.ids)
    throw badRequest(`A delta query follows at most ${deltaLimits.ids} ids.`);
}

function answer(
  request: DirectoryRequest,
  source: DeltaSource,
  page: DeltaPage,
  state: DeltaState,
  address: string,
): Reply {
  const { round: _round, ...rest } = state;
  const link = page.next
    ? {
        '@odata.nextLink': `${address}?$skiptoken=${writePageToken({ ...state, round: page.next })}`,
      }
    : { '@odata.deltaLink': `${address}?$deltatoken=${writePageToken(rest)}` };
  const select = state.select ? { count: false, select: state.select } : { count: false };
  return ok({
    '@odata.context': contextUrl(request, source.type.collection, select),
    ...link,
    value: page.value,
  });
}

/**
 * The ids of `id eq 'a' or id eq 'b'`, the only filter of delta queries.
 *
 * @throws DirectoryError 400 for anything else.
 */
function filteredIds(filter: FilterNode): string[] {
  const ids = idsIn(filter);
  if (ids === undefined)
    throw badRequest("Delta queries are filtered by ids only: id eq '…' or id eq '…'.");
  return ids;
}

function idsIn(node: FilterNode): string[] | undefined {
  if (node.kind === 'or') {
    const lists = node.operands.map(idsIn);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  const byId =
    (node.kind === 'compare' || node.kind === 'in') && node.path.segments.join('/') === 'id';
  if (!byId) return undefined;
  if (node.kind === 'in') return node.values.map((value) => String(value.value).toLowerCase());
  return node.operator === 'eq' ? [String(node.value.value).toLowerCase()] : undefined;
}
