import type { ComparisonOperator, FilterNode, Literal, PropertyPath, StringFunction } from './ast.js';
import type { Token } from './lexer.js';
import { tokenize } from './lexer.js';
import { readLiteral } from './literal.js';
import { TokenStream } from './token-stream.js';

/** What stands between operators: a whole predicate, or one side of a comparison. */
type Operand =
  | { readonly is: 'predicate'; readonly node: FilterNode }
  | { readonly is: 'path' | 'count'; readonly path: PropertyPath }
  | { readonly is: 'literal'; readonly literal: Literal; readonly position: number };

/** Binding powers: `or` binds weakest, a comparison strongest. */
const powers = { or: 1, and: 2, not: 3, comparison: 4 } as const;
const comparisons = new Set<string>(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
const functions: Readonly<Record<string, StringFunction>> = { startswith: 'startsWith', endswith: 'endsWith', contains: 'contains' };

/**
 * Parses a `$filter` into its tree: a Pratt parser, linear in the length, with bounded depth.
 *
 * @throws ODataError Request_BadRequest, with the position.
 */
export function parseFilter(text: string): FilterNode {
  const parser = new FilterParser(new TokenStream(tokenize(text), 'filter'));
  return parser.whole();
}

class FilterParser {
  /** The lambda's variable while its predicate is read. */
  #variable: string | undefined;

  constructor(private readonly stream: TokenStream) {}

  whole(): FilterNode {
    const node = this.predicate(this.#expression(0), this.stream.next);
    if (this.stream.next.kind !== 'end') this.stream.fail(`unexpected '${this.stream.next.text}'`);
    return node;
  }

  #expression(least: number): Operand {
    return this.stream.nested(() => {
      let left = this.#prefix();
      for (;;) {
        const operator = this.stream.next;
        const power = operator.kind === 'word' ? infixPower(operator.text) : 0;
        if (power <= least) return left;
        this.stream.take();
        left = { is: 'predicate', node: this.#infix(left, operator, power) };
      }
    });
  }

  #infix(left: Operand, operator: Token, power: number): FilterNode {
    if (operator.text === 'in') return this.#inList(left, operator);
    const right = this.#expression(power);
    if (comparisons.has(operator.text)) return this.#comparison(left, operator, right);
    const kind = operator.text as 'and' | 'or';
    const operands = [this.predicate(left, operator), this.predicate(right, operator)];
    return { kind, operands: operands.flatMap((node) => (node.kind === kind ? node.operands : [node])) };
  }

  #comparison(left: Operand, operator: Token, right: Operand): FilterNode {
    this.stream.countClause();
    const name = operator.text as ComparisonOperator;
    if (right.is !== 'literal') this.stream.fail(`the right side of '${name}' must be a value`, operator);
    if (left.is === 'count') {
      if (right.literal.type !== 'number') this.stream.fail('$count is compared with a number', operator);
      return { kind: 'count', operator: name, path: left.path, value: right.literal.value };
    }
    if (left.is !== 'path') this.stream.fail(`the left side of '${name}' must be a property`, operator);
    return { kind: 'compare', operator: name, path: left.path, value: right.literal };
  }

  #inList(left: Operand, operator: Token): FilterNode {
    if (left.is !== 'path') this.stream.fail("the left side of 'in' must be a property", operator);
    this.stream.expect('(');
    const values: Literal[] = [];
    do {
      this.stream.countClause();
      values.push(this.#literal() ?? this.stream.fail('expected a value'));
    } while (this.stream.accept(','));
    this.stream.expect(')');
    return { kind: 'in', path: left.path, values };
  }

  #prefix(): Operand {
    const open = this.stream.accept('(');
    if (open) {
      const inner = this.#expression(0);
      this.stream.expect(')');
      return { is: 'predicate', node: this.predicate(inner, open) };
    }
    const position = this.stream.next.position;
    const literal = this.#literal();
    if (literal) return { is: 'literal', literal, position };
    const word = this.stream.expect('word', 'a property, a value, a function or a parenthesis');
    if (word.text === 'not') return { is: 'predicate', node: { kind: 'not', operand: this.#negated(word), position } };
    const called = functions[word.text.toLowerCase()];
    if (called && this.stream.next.kind === '(') return { is: 'predicate', node: this.#stringFunction(called) };
    if (this.stream.next.kind === '(') this.stream.fail(`unknown function '${word.text}'`, word);
    return this.#path(word);
  }

  #negated(word: Token): FilterNode {
    return this.predicate(this.#expression(powers.not), word);
  }

  #stringFunction(name: StringFunction): FilterNode {
    this.stream.countClause();
    this.stream.expect('(');
    const argument = this.#path(this.stream.expect('word', 'a property'));
    if (argument.is !== 'path') this.stream.fail(`${name} takes a property and a string`);
    this.stream.expect(',');
    const { text: value } = this.stream.expect('string', 'a string');
    this.stream.expect(')');
    return { kind: 'function', name, path: argument.path, value };
  }

  #path(first: Token): Operand {
    const segments = [first.text];
    while (this.stream.accept('/')) {
      const segment = this.stream.expect('word', 'the name of a property');
      if (segment.text === '$count') return { is: 'count', path: this.#resolved(segments, first) };
      if (this.stream.next.kind === '(' && segment.text === 'any') return { is: 'predicate', node: this.#any(segments, first) };
      if (this.stream.next.kind === '(') this.stream.fail(`'${segment.text}' is not supported`, segment);
      segments.push(segment.text);
    }
    return { is: 'path', path: this.#resolved(segments, first) };
  }

  #any(segments: readonly string[], first: Token): FilterNode {
    if (this.#variable !== undefined) this.stream.fail('a lambda inside a lambda is not supported', first);
    const path = this.#resolved(segments, first);
    this.stream.expect('(');
    if (this.stream.accept(')')) return { kind: 'any', path };
    const variable = this.stream.expect('word', "the lambda's variable");
    this.stream.expect(':');
    this.#variable = variable.text;
    const predicate = this.predicate(this.#expression(0), variable);
    this.#variable = undefined;
    this.stream.expect(')');
    return { kind: 'any', path, variable: variable.text, predicate };
  }

  #resolved(segments: readonly string[], first: Token): PropertyPath {
    if (this.#variable === undefined) return { segments, position: first.position };
    if (segments[0] !== this.#variable) this.stream.fail(`inside the lambda only '${this.#variable}' can be asked`, first);
    return { segments: segments.slice(1), variable: this.#variable, position: first.position };
  }

  #literal(): Literal | undefined {
    const literal = readLiteral(this.stream.next);
    if (literal) this.stream.take();
    return literal;
  }

  predicate(operand: Operand, at: Token): FilterNode {
    if (operand.is === 'predicate') return operand.node;
    return this.stream.fail('expected a comparison', at.kind === 'end' || operand.is === 'literal' ? at : this.stream.next);
  }
}

function infixPower(word: string): number {
  if (word === 'or') return powers.or;
  if (word === 'and') return powers.and;
  return word === 'in' || comparisons.has(word) ? powers.comparison : 0;
}
