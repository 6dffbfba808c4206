import { badRequest } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import { contextUrl } from '../kernel/collection.js';
import { checkSelect } from '../kernel/present.js';
import { changedPage } from './changed-page.js';
import type { DeltaState } from './delta-token.js';
import { decodeDeltaToken, encodeDeltaToken, expiredToken } from './delta-token.js';
import { filteredIds } from './filtered-ids.js';
import { initialPage } from './initial-page.js';
import type { DeltaSource, DeltaPage } from './delta-source.js';

/**
 * Answers a delta query: first everything, page by page; then, by the delta link, what has changed since. A round shows the state when
 * its page is read, and the delta link begins where the round began, so that nothing is lost in between.
 */
export async function delta(request: DirectoryRequest, source: DeltaSource): Promise<Reply> {
  const { directory, options } = request;
  const address = `${request.base}/${source.type.collection}/delta`;
  const state = await stateOf(request, source, address);
  if (state.round === undefined) return answer(request, source, { value: [] }, state, address);
  const page = state.round.from === undefined ? await initialPage(request, source, state) : await changedPage(request, source, state);
  if (options.deltatoken !== undefined) await directory.changes.prune(directory.clock.now());
  return answer(request, source, page, state, address);
}

async function stateOf(request: DirectoryRequest, source: DeltaSource, address: string): Promise<DeltaState> {
  const { directory, options } = request;
  const now = directory.clock.now();
  if (options.skiptoken !== undefined) return decodeDeltaToken(options.skiptoken, now, address);
  const latest = await directory.changes.latest();
  if (options.deltatoken !== undefined && options.deltatoken.toLowerCase() !== 'latest') {
    const known = decodeDeltaToken(options.deltatoken, now, address);
    if (known.upTo > latest) throw expiredToken(address);
    return { ...known, upTo: latest, at: now.getTime(), round: { from: known.upTo, after: 0 } };
  }
  if (options.top !== undefined || options.orderby || options.search || options.count || options.expand)
    throw badRequest('Delta queries take $select, and $filter by ids; not $top, $orderby, $search, $count or $expand.');
  checkSelect(directory, source.type, options.select, false);
  const ids = options.filter && filteredIds(options.filter);
  const start = { upTo: latest, at: now.getTime(), ...(options.select && { select: options.select }), ...(ids && { ids }) };
  return options.deltatoken === undefined ? { ...start, round: { after: 0 } } : start;
}

function answer(request: DirectoryRequest, source: DeltaSource, page: DeltaPage, state: DeltaState, address: string): Reply {
  const { round: _round, ...rest } = state;
  const link = page.next
    ? { '@odata.nextLink': `${address}?$skiptoken=${encodeDeltaToken({ ...state, round: page.next })}` }
    : { '@odata.deltaLink': `${address}?$deltatoken=${encodeDeltaToken(rest)}` };
  const select = state.select ? { count: false, select: state.select } : { count: false };
  return ok({ '@odata.context': contextUrl(request, source.type.collection, select), ...link, value: page.value });
}
