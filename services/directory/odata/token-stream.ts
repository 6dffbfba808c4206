import { syntaxError } from './odata-error.js';
import type { ODataError } from './odata-error.js';
import type { Token } from './lexer.js';
import { odataLimits } from './limits.js';

/** Walks through tokens and counts what must stay bounded. */
export class TokenStream {
  #index = 0;
  #depth = 0;
  #clauses = 0;

  constructor(
    private readonly tokens: readonly Token[],
    readonly option: string,
  ) {}

  /** The token that comes next, without taking it. */
  get next(): Token {
    return this.tokens[this.#index] ?? { kind: 'end', text: '', position: 0 };
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Takes the next token if it is of this kind. */
  accept(kind: Token['kind']): Token | undefined {
    return this.next.kind === kind ? this.take() : undefined;
  }

  /** Takes the next token, which must be of this kind. */
  expect(kind: Token['kind'], what = `'${kind}'`): Token {
    return this.accept(kind) ?? this.fail(`expected ${what}`);
  }

  /** Refuses the text at the next token, or at a given one. */
  fail(reason: string, at: Token = this.next): never {
    throw this.error(reason, at.position);
  }

  error(reason: string, position: number): ODataError {
    return syntaxError(this.option, reason, position);
  }

  /** Runs a part that nests, never deeper than the limit. */
  nested<T>(parse: () => T): T {
    if (++this.#depth > odataLimits.depth) this.fail(`nested deeper than ${odataLimits.depth} levels`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Counts one comparison or list entry. */
  countClause(): void {
    if (++this.#clauses > odataLimits.clauses) this.fail(`more than ${odataLimits.clauses} clauses`);
  }
}
