import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { FilterNode, PropertyPath } from './filter-parser.js';
import type { ExpandItem, QueryOptions } from './query-options.js';
import type { SearchNode } from './search.js';

/** Gives the declared spelling of a property or relationship, or an unknown name as it is. */
export type DeclaredNameLookup = (name: string) => string;

/** Query options whose properties and relationships have their declared letter case. */
export function withDeclaredNames(
  options: QueryOptions,
  declaredName: DeclaredNameLookup,
): QueryOptions {
  const { filter, search, orderby, select, expand, ...others } = options;
  return {
    ...others,
    ...omitUndefined({
      filter: filter && filterWithDeclaredNames(filter, declaredName),
      search: search && searchWithDeclaredNames(search, declaredName),
      orderby: orderby?.map((key) => ({ ...key, property: declaredName(key.property) })),
      select: select && [...new Set(select.map(declaredName))],
      expand: expand?.map((item) => expansionWithDeclaredNames(item, declaredName)),
    }),
  };
}

function filterWithDeclaredNames(node: FilterNode, declaredName: DeclaredNameLookup): FilterNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return {
        ...node,
        operands: node.operands.map((operand) => filterWithDeclaredNames(operand, declaredName)),
      };
    case 'not':
      return { ...node, operand: filterWithDeclaredNames(node.operand, declaredName) };
    case 'any':
      return {
        ...node,
        path: pathWithDeclaredNames(node.path, declaredName),
        ...(node.predicate && { predicate: filterWithDeclaredNames(node.predicate, declaredName) }),
      };
    default:
      return { ...node, path: pathWithDeclaredNames(node.path, declaredName) };
  }
}

function pathWithDeclaredNames(path: PropertyPath, declaredName: DeclaredNameLookup): PropertyPath {
  return { ...path, segments: path.segments.map(declaredName) };
}

function searchWithDeclaredNames(node: SearchNode, declaredName: DeclaredNameLookup): SearchNode {
  return node.kind === 'clause'
    ? { ...node, property: declaredName(node.property) }
    : {
        ...node,
        operands: node.operands.map((operand) => searchWithDeclaredNames(operand, declaredName)),
      };
}

function expansionWithDeclaredNames(
  item: ExpandItem,
  declaredName: DeclaredNameLookup,
): ExpandItem {
  return {
    ...item,
    relationship: declaredName(item.relationship),
    ...omitUndefined({
      select: item.select?.map(declaredName),
      expand: item.expand === undefined ? undefined : declaredName(item.expand),
    }),
  };
}
