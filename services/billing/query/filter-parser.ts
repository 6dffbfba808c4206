import { billingLimits } from '../../../kinds/transaction/limits.js';
import type { Field } from '../store/fields.js';
import type { Comparison, Filter, TextTest } from './ast.js';
import { tokenize } from './lexer.js';
import type { Token } from './lexer.js';
import { literalOf } from './literal.js';
import type { FieldNames } from './names.js';
import { QuerySyntaxError } from './syntax-error.js';

const comparisons: readonly string[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const textTests: readonly string[] = ['contains', 'startswith', 'endswith'];
const flipped: Readonly<Record<Comparison, Comparison>> = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' };

/**
 * Parses `filter`: `eq ne lt le gt ge and or not ( ) in contains startswith endswith`; `or` binds least, `not` most.
 *
 * @throws QuerySyntaxError with the position of the first mistake.
 */
export function parseFilter(source: string, names: FieldNames): Filter {
  const { maxLength, maxDepth, maxTerms } = billingLimits.filter;
  if (source.length > maxLength) throw new QuerySyntaxError('filter', maxLength, `at most ${maxLength} characters are allowed`);
  return new FilterParser(tokenize('filter', source), names, maxDepth, maxTerms).parse();
}

class FilterParser {
  private next = 0;
  private terms = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly names: FieldNames,
    private readonly maxDepth: number,
    private readonly maxTerms: number,
  ) {}

  parse(): Filter {
    const filter = this.chain('or', 0);
    if (this.peek().kind !== 'end') throw this.unexpected('the end, "and" or "or"');
    return filter;
  }

  /** `or` over `and` over single conditions. */
  private chain(word: 'or' | 'and', depth: number): Filter {
    const operand = (): Filter => (word === 'or' ? this.chain('and', depth) : this.condition(depth));
    const operands = [operand()];
    while (this.takeWord(word)) operands.push(operand());
    const [only] = operands;
    return operands.length === 1 && only ? only : { kind: word, operands };
  }

  private condition(depth: number): Filter {
    const token = this.peek();
    if (depth > this.maxDepth) throw new QuerySyntaxError('filter', token.position, `at most ${this.maxDepth} levels are allowed`);
    if (this.takeWord('not')) return { kind: 'not', operand: this.condition(depth + 1) };
    if (token.kind === '(') {
      this.next += 1;
      const inner = this.chain('or', depth + 1);
      this.expect(')');
      return inner;
    }
    if (++this.terms > this.maxTerms)
      throw new QuerySyntaxError('filter', token.position, `at most ${this.maxTerms} conditions are allowed`);
    if (token.kind === 'word' && this.tokens[this.next + 1]?.kind === '(' && !isReserved(token.text)) return this.textTest();
    return this.comparison();
  }

  private textTest(): Filter {
    const name = this.take();
    const test = name.text.toLowerCase();
    if (!textTests.includes(test))
      throw new QuerySyntaxError('filter', name.position, `"${name.text}" is not a function; there are ${textTests.join(', ')}`);
    this.expect('(');
    const field = this.field();
    if (field.found.kind !== 'text')
      throw new QuerySyntaxError('filter', field.position, `${test} needs a text field, and "${field.name}" is none`);
    this.expect(',');
    const text = this.take();
    if (text.kind !== 'string') throw new QuerySyntaxError('filter', text.position, `${test} needs a text in quotes`);
    this.expect(')');
    return { kind: 'test', field: field.found, test: test as TextTest, text: text.text };
  }

  private comparison(): Filter {
    const first = this.peek();
    if (first.kind !== 'word' || ['true', 'false', 'null'].includes(first.text)) return this.literalFirst();
    const { found: field } = this.field();
    const operator = this.peek();
    if (operator.kind === 'word' && operator.text === 'in') return this.inList(field);
    if (operator.kind === 'word' && comparisons.includes(operator.text)) {
      this.next += 1;
      return this.compare(field, operator.text as Comparison, this.take());
    }
    // A yes-or-no field is a condition by itself.
    if (field.kind === 'boolean') return { kind: 'compare', field, operator: 'eq', value: '1' };
    throw this.unexpected(`one of ${comparisons.join(', ')}, in`);
  }

  /** `5 lt quantity` means `quantity gt 5`. */
  private literalFirst(): Filter {
    const literal = this.take();
    if (!['string', 'number', 'date', 'word'].includes(literal.kind)) throw this.unexpected('a field, a function, "not" or "("', literal);
    const operator = this.take();
    if (operator.kind !== 'word' || !comparisons.includes(operator.text))
      throw this.unexpected(`one of ${comparisons.join(', ')}`, operator);
    const { found } = this.field();
    return this.compare(found, flipped[operator.text as Comparison], literal);
  }

  private compare(field: Field, operator: Comparison, literal: Token): Filter {
    const value = literalOf(literal, field);
    if (value === '' && operator !== 'eq' && operator !== 'ne')
      throw new QuerySyntaxError('filter', literal.position, `null can be compared with eq and ne only`);
    return { kind: 'compare', field, operator, value };
  }

  private inList(field: Field): Filter {
    this.next += 1;
    this.expect('(');
    const values: string[] = [];
    do {
      const literal = this.take();
      if (values.length >= this.maxTerms)
        throw new QuerySyntaxError('filter', literal.position, `at most ${this.maxTerms} values are allowed`);
      values.push(literalOf(literal, field));
    } while (this.peek().kind === ',' && this.take());
    this.expect(')');
    return { kind: 'in', field, values };
  }

  private field(): { found: Field; name: string; position: number } {
    const token = this.peek();
    if (token.kind !== 'word' || isReserved(token.text)) throw this.unexpected('a field');
    this.next += 1;
    return { found: this.names.find('filter', token.text, token.position), name: token.text, position: token.position };
  }

  private peek(): Token {
    return this.tokens[this.next] ?? { kind: 'end', text: '', position: 0 };
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.next += 1;
    return token;
  }

  private takeWord(word: string): boolean {
    const token = this.peek();
    if (token.kind !== 'word' || token.text !== word) return false;
    this.next += 1;
    return true;
  }

  private expect(kind: Token['kind']): void {
    if (this.peek().kind !== kind) throw this.unexpected(`"${kind}"`);
    this.next += 1;
  }

  private unexpected(wanted: string, found = this.peek()): QuerySyntaxError {
    const { kind, text, position } = found;
    return new QuerySyntaxError('filter', position, `${wanted} is expected, not ${kind === 'end' ? 'the end' : JSON.stringify(text)}`);
  }
}

function isReserved(word: string): boolean {
  return [...comparisons, 'and', 'or', 'not', 'in', 'true', 'false', 'null'].includes(word);
}
