import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { FilterNode, PropertyPath } from './filter-parser.js';
import type { ExpandItem, QueryOptions } from './query-options.js';
import type { SearchNode } from './search.js';

/** Gives the declared spelling of a property or relationship, or an unknown name as it is. */
export type DeclaredName = (name: string) => string;

/** Query options whose properties and relationships have their declared letter case. */
export function withDeclaredNames(options: QueryOptions, declared: DeclaredName): QueryOptions {
  const { filter, search, orderby, select, expand, ...others } = options;
  return {
    ...others,
    ...omitUndefined({
      filter: filter && inFilter(filter, declared),
      search: search && inSearch(search, declared),
      orderby: orderby?.map((key) => ({ ...key, property: declared(key.property) })),
      select: select && [...new Set(select.map(declared))],
      expand: expand?.map((item) => inExpansion(item, declared)),
    }),
  };
}

function inFilter(node: FilterNode, declared: DeclaredName): FilterNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, operands: node.operands.map((operand) => inFilter(operand, declared)) };
    case 'not':
      return { ...node, operand: inFilter(node.operand, declared) };
    case 'any':
      return {
        ...node,
        path: inPath(node.path, declared),
        ...(node.predicate && { predicate: inFilter(node.predicate, declared) }),
      };
    default:
      return { ...node, path: inPath(node.path, declared) };
  }
}

function inPath(path: PropertyPath, declared: DeclaredName): PropertyPath {
  return { ...path, segments: path.segments.map(declared) };
}

function inSearch(node: SearchNode, declared: DeclaredName): SearchNode {
  return node.kind === 'clause'
    ? { ...node, property: declared(node.property) }
    : { ...node, operands: node.operands.map((operand) => inSearch(operand, declared)) };
}

function inExpansion(item: ExpandItem, declared: DeclaredName): ExpandItem {
  return {
    ...item,
    relationship: declared(item.relationship),
    ...omitUndefined({
      select: item.select?.map(declared),
      expand: item.expand === undefined ? undefined : declared(item.expand),
    }),
  };
}
