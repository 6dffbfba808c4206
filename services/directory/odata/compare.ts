import type { ComparisonOperator } from './ast.js';

/** The form in which strings are compared: the directory ignores letter case. SQL folds the same way (see `fold` in sql-operand.ts). */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** Orders two strings by code points, as databases order UTF-8 bytes; JavaScript's own order differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Whether an order (negative, zero, positive) satisfies an operator. */
export function satisfies(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
  }
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
