import type { MembershipRuleError } from './ast.js';
import { RuleSyntaxError, type RuleToken } from './lexer.js';

/** The deepest nesting of parentheses and `-not`; real rules stay under five. */
const maxDepth = 100;

/** Reads a rule's tokens in order. */
export class TokenReader {
  #index = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly RuleToken[]) {}

  /** The token that is read next. */
  get next(): RuleToken {
    return this.peek(0);
  }

  /** The end of the token that was read last. */
  get end(): number {
    return this.tokens[this.#index - 1]?.end ?? 0;
  }

  /** The token so many places ahead; 0 is the next one. */
  peek(ahead: number): RuleToken {
    const last = this.tokens.length - 1;
    return this.tokens[Math.min(this.#index + ahead, last)] as RuleToken;
  }

  /** Reads the next token. */
  take(): RuleToken {
    const token = this.next;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Reads the next token if it is of a kind. */
  accept(kind: RuleToken['kind']): RuleToken | undefined {
    return this.next.kind === kind ? this.take() : undefined;
  }

  /** Reads the next token. @throws RuleSyntaxError when it is of another kind. */
  expect(kind: RuleToken['kind'], description: string): RuleToken {
    return this.accept(kind) ?? this.fail(`expected ${description}, found ${this.describeNext()}`);
  }

  /** Reads an operator word, with or without its hyphen, if it is this one. */
  acceptOperator(name: string): RuleToken | undefined {
    const { kind, text } = this.next;
    return (kind === 'operator' || kind === 'word') && text.toLowerCase() === name
      ? this.take()
      : undefined;
  }

  /** The next token for messages. */
  describeNext(): string {
    const { kind, text } = this.next;
    if (kind === 'end') return 'the end of the rule';
    if (kind === 'string') return `"${text}"`;
    return kind === 'operator' ? `-${text}` : `'${text}'`;
  }

  /** Parses one level deeper. @throws RuleSyntaxError when the rule is nested too deeply. */
  nest<T>(parse: () => T): T {
    if (++this.#depth > maxDepth) this.fail(`nested deeper than ${maxDepth} levels`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** @throws RuleSyntaxError at the next token, or at a position. */
  fail(
    message: string,
    position = this.next.start,
    suggestion?: MembershipRuleError['suggestion'],
  ): never {
    throw new RuleSyntaxError(message, position, suggestion);
  }
}
