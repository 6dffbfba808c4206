import { badRequest } from '../http/errors.js';
import { ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import {
  checkFilter,
  compileFilterInMemory,
  decodeSkipToken,
  encodeSkipToken,
  nextLink,
  odataLimits,
  type QueryRules,
} from '../odata/index.js';
import type { Body } from '../store/objects.js';

/**
 * Answers a list of things that aren't directory objects (assignments, grants, role definitions): `$filter` by the rules, `$select`,
 * `$top` with pages, `$count`.
 *
 * @param fragment what follows `$metadata#` in the context.
 * @param pageSize without `$top`. @default 100
 * @throws DirectoryError 400 for other options.
 */
export function listItems(
  request: DirectoryRequest,
  fragment: string,
  items: readonly Body[],
  rules: QueryRules,
  pageSize: number = odataLimits.top.default,
): Reply {
  const { filter, select, top = pageSize, skiptoken, search, orderby, expand, count } = request.options;
  if (search ?? orderby ?? expand) throw badRequest(`$search, $orderby and $expand are not supported on ${rules.resource}.`);
  if (filter) checkFilter(filter, rules);
  const matching = filter ? items.filter(compileFilterInMemory(filter)) : items;
  const start = skiptoken === undefined ? 0 : positionIn(skiptoken);
  const page = matching.slice(start, start + top);
  const more = start + top < matching.length;
  return ok({
    '@odata.context': `${request.base}/$metadata#${fragment}${select ? `(${select.join(',')})` : ''}`,
    ...(count && request.eventual && start === 0 && { '@odata.count': matching.length }),
    ...(more && { '@odata.nextLink': nextLink(request.url, encodeSkipToken([start + top])) }),
    value: select ? page.map((item) => selected(item, select)) : page,
  });
}

/** Of a thing what `$select` names. */
export function selected(item: Body, select: readonly string[]): Body {
  return select.includes('*') ? item : Object.fromEntries(Object.entries(item).filter(([name]) => select.includes(name)));
}

function positionIn(skiptoken: string): number {
  const [position] = decodeSkipToken(skiptoken, 1);
  if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0) return position;
  throw badRequest('Invalid $skiptoken: it was not given out for this query.');
}
