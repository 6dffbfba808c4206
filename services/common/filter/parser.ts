import { type CreateSyntaxError, type Token, tokenize } from './lexer.js';
import type { ComparisonOperator, FilterTree, PropertyPath, StringFunction } from './tree.js';

/** The limits of a service's filters, and how it reads values. */
export interface FilterLanguage<Value> {
  /** Characters; nested parentheses, `not` and lambdas; comparisons and list entries. */
  readonly limits: { readonly length: number; readonly depth: number; readonly clauses: number };
  readonly createError: CreateSyntaxError;
  /** The value of a token; undefined if it is not a literal. */
  readonly literal: (token: Token) => Value | undefined;
  /** The number to which `$count` is compared. @default `$count` and lambdas are not supported */
  readonly countOperand?: (value: Value) => number | undefined;
  /**
   * The value for a property that is a condition by itself (`isThirdParty`); a value may then also
   * come first (`5 lt quantity`).
   *
   * @default properties are not conditions
   */
  readonly booleanValue?: (path: PropertyPath) => Value | undefined;
  /** The letter case of operators. @default 'lower' */
  readonly operatorCase?: 'any' | 'lower';
}

/** An operand: a whole condition, or one side of a comparison. */
type Operand<Value> =
  | { readonly is: 'predicate'; readonly node: FilterTree<Value> }
  /** `displayName`, or `members/$count`, whose path is `members`. */
  | { readonly is: 'path' | 'count'; readonly path: PropertyPath }
  | { readonly is: 'literal'; readonly value: Value };

/** Binding powers: `or` is weakest, a comparison strongest. */
const bindingPowers = { or: 1, and: 2, not: 3, comparison: 4 } as const;
const comparisons = new Set<string>(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
const mirroredOperators = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' } as const;
/** By name in lower case. */
const functions: ReadonlyMap<string, StringFunction> = new Map([
  ['startswith', 'startsWith'],
  ['endswith', 'endsWith'],
  ['contains', 'contains'],
]);

/**
 * Parses a filter into its tree: a Pratt parser with linear time and limited depth.
 *
 * @throws the error of the language's `fail`, with the position of the first mistake.
 */
export function parseFilter<Value>(
  text: string,
  language: FilterLanguage<Value>,
): FilterTree<Value> {
  return new FilterParser(
    tokenize(text, language.limits.length, language.createError),
    language,
  ).parse();
}

class FilterParser<Value> {
  #index = 0;
  #depth = 0;
  #clauses = 0;
  /** The variable of the lambda that is being parsed. */
  #variable: string | undefined;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly language: FilterLanguage<Value>,
  ) {}

  parse(): FilterTree<Value> {
    const node = this.#predicate(this.#expression(0), this.#next);
    if (this.#next.kind !== 'end') this.#fail(`unexpected '${this.#next.text}'`);
    return node;
  }

  #expression(minPower: number): Operand<Value> {
    const { depth } = this.language.limits;
    if (++this.#depth > depth) this.#fail(`nested deeper than ${depth} levels`);
    let left = this.#prefix();
    for (;;) {
      const operator = this.#inLowerCase(this.#next);
      const power = operator.kind === 'word' ? infixPower(operator.text) : 0;
      if (power <= minPower) break;
      this.#take();
      left = { is: 'predicate', node: this.#infix(left, operator, power) };
    }
    this.#depth--;
    return left;
  }

  /** A word as operators are written. */
  #inLowerCase(word: Token): Token {
    return this.language.operatorCase === 'any' ? { ...word, text: word.text.toLowerCase() } : word;
  }

  #infix(left: Operand<Value>, operator: Token, power: number): FilterTree<Value> {
    if (operator.text === 'in') return this.#inList(left, operator);
    const right = this.#expression(power);
    if (comparisons.has(operator.text)) return this.#comparison(left, operator, right);
    const kind = operator.text as 'and' | 'or';
    const operands = [this.#predicate(left, operator), this.#predicate(right, this.#next)];
    return {
      kind,
      operands: operands.flatMap((node) => (node.kind === kind ? node.operands : [node])),
    };
  }

  #comparison(left: Operand<Value>, operator: Token, right: Operand<Value>): FilterTree<Value> {
    this.#countClause();
    const name = operator.text as ComparisonOperator;
    if (left.is === 'literal' && right.is === 'path' && this.language.booleanValue)
      return {
        kind: 'compare',
        operator: mirroredOperators[name],
        path: right.path,
        value: left.value,
      };
    if (right.is !== 'literal') this.#fail(`the right side of '${name}' must be a value`, operator);
    if (left.is === 'count') {
      const value =
        this.language.countOperand?.(right.value) ??
        this.#fail('$count is compared with a number', operator);
      return { kind: 'count', operator: name, path: left.path, value };
    }
    if (left.is !== 'path') this.#fail(`the left side of '${name}' must be a property`, operator);
    return { kind: 'compare', operator: name, path: left.path, value: right.value };
  }

  #inList(left: Operand<Value>, operator: Token): FilterTree<Value> {
    if (left.is !== 'path') this.#fail("the left side of 'in' must be a property", operator);
    this.#expect('(');
    const values: Value[] = [];
    do {
      this.#countClause();
      values.push(this.#literal() ?? this.#fail('expected a value'));
    } while (this.#accept(','));
    this.#expect(')');
    return { kind: 'in', path: left.path, values };
  }

  #prefix(): Operand<Value> {
    if (this.#accept('(')) {
      const inner = this.#predicate(this.#expression(0), this.#next);
      this.#expect(')');
      return { is: 'predicate', node: inner };
    }
    const { position } = this.#next;
    const value = this.#literal();
    if (value !== undefined) return { is: 'literal', value };
    const word = this.#expect('word', 'a property, a value, a function or a parenthesis');
    if (this.#inLowerCase(word).text === 'not')
      return {
        is: 'predicate',
        node: {
          kind: 'not',
          operand: this.#predicate(this.#expression(bindingPowers.not), this.#next),
          position,
        },
      };
    const stringFunction = functions.get(word.text.toLowerCase());
    if (stringFunction && this.#next.kind === '(')
      return { is: 'predicate', node: this.#stringFunction(stringFunction) };
    if (this.#next.kind === '(')
      this.#fail(
        `unknown function '${word.text}'; there are ${[...functions.values()].sort().join(', ')}`,
        word,
      );
    return this.#path(word);
  }

  #stringFunction(name: StringFunction): FilterTree<Value> {
    this.#countClause();
    this.#expect('(');
    const argument = this.#path(this.#expect('word', 'a property'));
    if (argument.is !== 'path') this.#fail(`${name} takes a property and a string`);
    this.#expect(',');
    const { text: value } = this.#expect('string', 'a string');
    this.#expect(')');
    return { kind: 'function', name, path: argument.path, value };
  }

  #path(first: Token): Operand<Value> {
    const segments = [first.text];
    const supportsCollections = this.language.countOperand !== undefined;
    while (this.#accept('/')) {
      const segment = this.#expect('word', 'the name of a property');
      if (segment.text === '$count' && supportsCollections)
        return { is: 'count', path: this.#resolvePath(segments, first) };
      const isCall = this.#next.kind === '(';
      if (isCall && this.#inLowerCase(segment).text === 'any' && supportsCollections)
        return { is: 'predicate', node: this.#any(segments, first) };
      if (isCall) this.#fail(`'${segment.text}' is not supported`, segment);
      segments.push(segment.text);
    }
    return { is: 'path', path: this.#resolvePath(segments, first) };
  }

  #any(segments: readonly string[], first: Token): FilterTree<Value> {
    if (this.#variable !== undefined)
      this.#fail('a lambda inside a lambda is not supported', first);
    const path = this.#resolvePath(segments, first);
    this.#expect('(');
    if (this.#accept(')')) return { kind: 'any', path };
    const variable = this.#expect('word', "the lambda's variable");
    this.#expect(':');
    this.#variable = variable.text;
    const predicate = this.#predicate(this.#expression(0), this.#next);
    this.#variable = undefined;
    this.#expect(')');
    return { kind: 'any', path, variable: variable.text, predicate };
  }

  #resolvePath(segments: readonly string[], first: Token): PropertyPath {
    if (this.#variable === undefined) return { segments, position: first.position };
    if (segments[0] !== this.#variable)
      this.#fail(`inside the lambda only '${this.#variable}' can be asked`, first);
    return { segments: segments.slice(1), variable: this.#variable, position: first.position };
  }

  /** A whole condition. @param token the position for errors */
  #predicate(operand: Operand<Value>, token: Token): FilterTree<Value> {
    if (operand.is === 'predicate') return operand.node;
    const value = operand.is === 'path' ? this.language.booleanValue?.(operand.path) : undefined;
    if (operand.is === 'path' && value !== undefined)
      return { kind: 'compare', operator: 'eq', path: operand.path, value };
    return this.#fail('expected a comparison', token);
  }

  #literal(): Value | undefined {
    const value = this.language.literal(this.#next);
    if (value !== undefined) this.#take();
    return value;
  }

  /** The next token, without consuming it. */
  get #next(): Token {
    return this.tokens[this.#index] ?? { kind: 'end', text: '', position: 0 };
  }

  #take(): Token {
    const token = this.#next;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  #accept(kind: Token['kind']): Token | undefined {
    return this.#next.kind === kind ? this.#take() : undefined;
  }

  #expect(kind: Token['kind'], what = `'${kind}'`): Token {
    return this.#accept(kind) ?? this.#fail(`expected ${what}`);
  }

  #countClause(): void {
    const { clauses } = this.language.limits;
    if (++this.#clauses > clauses) this.#fail(`more than ${clauses} clauses`);
  }

  #fail(reason: string, token: Token = this.#next): never {
    throw this.language.createError(reason, token.position);
  }
}

function infixPower(word: string): number {
  if (word === 'or') return bindingPowers.or;
  if (word === 'and') return bindingPowers.and;
  return word === 'in' || comparisons.has(word) ? bindingPowers.comparison : 0;
}
