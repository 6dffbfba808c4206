import {
  foldCase,
  type FilterNode,
  type Literal,
  type ODataObject,
  type PropertyPath,
  type QueryRules,
  type SearchNode,
} from '../../../../services/directory/odata/index.js';
import {
  tokenizeText,
  searchModeOf,
  tokenizeSearch,
} from '../../../../services/directory/odata/search.js';

/** A value as it is written in a query. */
function printLiteral(literal: Literal): string {
  return literal.type === 'string'
    ? `'${literal.value.replaceAll("'", "''")}'`
    : String(literal.value);
}

/** Writes a tree as a `$filter` that parses into the same tree. */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.map((operand) => parenthesize(operand)).join(` ${node.kind} `);
    case 'not':
      return `not (${printFilter(node.operand)})`;
    case 'compare':
      return `${printPath(node.path)} ${node.operator} ${printLiteral(node.value)}`;
    case 'in':
      return `${printPath(node.path)} in (${node.values.map(printLiteral).join(',')})`;
    case 'function':
      return `${node.name}(${printPath(node.path)},${printLiteral({ type: 'string', value: node.value })})`;
    case 'any':
      return `${printPath(node.path)}/any(${node.predicate ? `${node.variable ?? 'x'}:${printFilter(node.predicate)}` : ''})`;
    case 'count':
      return `${printPath(node.path)}/$count ${node.operator} ${node.value}`;
  }
}

function parenthesize(node: FilterNode): string {
  return node.kind === 'and' || node.kind === 'or' ? `(${printFilter(node)})` : printFilter(node);
}

/** A path as it is written, its lambda variable included. */
function printPath(path: PropertyPath): string {
  return [...(path.variable === undefined ? [] : [path.variable]), ...path.segments].join('/');
}

/** Compiles a search to a function that tests an object in memory. */
export function compileSearchInMemory(
  node: SearchNode,
  rules: QueryRules,
): (object: ODataObject) => boolean {
  if (node.kind !== 'clause') {
    const operands = node.operands.map((operand) => compileSearchInMemory(operand, rules));
    return node.kind === 'and'
      ? (object) => operands.every((each) => each(object))
      : (object) => operands.some((each) => each(object));
  }
  const kind = searchModeOf(node.property, rules);
  const foldedText = foldCase(node.text);
  const tokens = tokenizeSearch(node.text);
  return (object) => {
    const value = object[node.property];
    if (typeof value !== 'string') return false;
    if (kind === 'prefix') return foldCase(value).startsWith(foldedText);
    const words = tokenizeText(value);
    return (
      tokens.length > 0 && tokens.every((token) => words.some((word) => word.startsWith(token)))
    );
  };
}

/** Writes a search that parses into the same tree. */
export function printSearch(node: SearchNode): string {
  if (node.kind === 'clause')
    return `"${`${node.property}:${node.text}`.replace(/["\\]/g, '\\$&')}"`;
  const operands = node.operands.map((operand) =>
    operand.kind === 'clause' ? printSearch(operand) : `(${printSearch(operand)})`,
  );
  return operands.join(` ${node.kind.toUpperCase()} `);
}
