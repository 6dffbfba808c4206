import { badRequest } from '../http/errors.js';
import type { FilterNode } from '../odata/index.js';

const most = 50;

/** The ids of `id eq 'a' or id eq 'b'`, the only filter of delta queries. @throws DirectoryError 400 for anything else. */
export function filteredIds(filter: FilterNode): string[] {
  const ids = collect(filter);
  if (ids === undefined) throw badRequest("Delta queries are filtered by ids only: id eq '…' or id eq '…'.");
  if (ids.length > most) throw badRequest(`A delta query follows at most ${most} ids.`);
  return ids;
}

function collect(node: FilterNode): string[] | undefined {
  if (node.kind === 'or') {
    const lists = node.operands.map(collect);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  const byId = (node.kind === 'compare' || node.kind === 'in') && node.path.segments.join('/') === 'id';
  if (!byId) return undefined;
  if (node.kind === 'in') return node.values.map((value) => String(value.value).toLowerCase());
  return node.operator === 'eq' ? [String(node.value.value).toLowerCase()] : undefined;
}
