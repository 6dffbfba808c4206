import { sql } from 'kysely';
import type { Fragment } from '../store/sql.js';
import { foldCase } from './filter-predicate.js';
import { invalidOption, ODataError, syntaxError } from './odata-error.js';
import { odataLimits } from './odata-limits.js';
import type { QueryRules } from './property-rules.js';
import { foldSql, type SqlMapping } from './sql-operand.js';

/** A parsed `$search`. */
export type SearchNode =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SearchNode[] }
  | {
      readonly kind: 'clause';
      readonly property: string;
      /** The text after the colon, without quotes. */
      readonly text: string;
    };

/**
 * How a property is searched, by the type's rules.
 *
 * @throws ODataError for one that cannot be searched.
 */
export function searchModeOf(property: string, rules: QueryRules): 'tokens' | 'prefix' {
  const mode = Object.hasOwn(rules.properties, property)
    ? rules.properties[property]?.search
    : undefined;
  if (mode) return mode;
  throw new ODataError(
    'Request_UnsupportedQuery',
    `Unsupported or invalid search clause specified for property '${property}' of resource '${rules.resource}'.`,
  );
}

/**
 * Compiles a search to a SQL condition.
 *
 * @param wordsColumn returns the column with the {@link searchableWords} of a property's text.
 */
export function compileSearch(
  node: SearchNode,
  rules: QueryRules,
  mapping: SqlMapping,
  wordsColumn: (property: string) => Fragment,
): Fragment {
  if (node.kind !== 'clause') {
    const operands = node.operands.map((operand) =>
      compileSearch(operand, rules, mapping, wordsColumn),
    );
    return sql`(${sql.join(operands, node.kind === 'and' ? sql` and ` : sql` or `)})`;
  }
  if (searchModeOf(node.property, rules) === 'tokens') {
    const words = tokenizeSearch(node.text);
    if (words.length === 0) return sql`(1 = 0)`;
    // words consist of letters and digits: no character is special to LIKE, and both sides are
    // folded
    return sql`(${sql.join(
      words.map((word) => sql`${wordsColumn(node.property)} like ${`% ${word}%`}`),
      sql` and `,
    )})`;
  }
  const operand = mapping.operand([node.property]);
  if (!operand) return sql`(1 = 0)`;
  const term = foldCase(node.text);
  const foldedSql =
    operand.form === 'folded' ? operand.expression : foldSql(mapping.engine, operand.expression);
  return sql`(substr(${foldedSql}, 1, ${sql.lit([...term].length)}) = ${term})`;
}

/**
 * Matches a run of letters within a word: a capital after a small letter starts a new run; digits
 * and symbols are separate.
 */
const wordParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{Lt}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/**
 * The search words of a text: split at spaces, symbols, digits and from small to capital letters.
 * Words joined by symbols are also found joined (`hello-world`: hello, world, helloworld).
 */
export function tokenizeText(text: string): readonly string[] {
  const tokens = new Set<string>();
  for (const word of text.split(/\s+/)) {
    const parts = splitWord(word);
    for (const part of parts) tokens.add(part);
    const joined = foldCase(word.replace(/[^\p{L}\p{N}\p{M}]/gu, ''));
    if (parts.length > 1 && joined !== '' && joined.length < foldCase(word).length)
      tokens.add(joined);
  }
  return [...tokens];
}

/**
 * The words of a search; each must start a word of the text. A search of symbols only matches
 * nothing.
 */
export function tokenizeSearch(text: string): readonly string[] {
  return text.split(/\s+/).flatMap(splitWord);
}

/**
 * The words of a text as a search column has them: with a space before each, so that
 * `like '% sal%'` finds prefixes.
 */
export function searchableWords(text: string | null | undefined): string {
  return text ? ` ${tokenizeText(text).join(' ')}` : '';
}

function splitWord(word: string): string[] {
  return (word.match(wordParts) ?? []).map(foldCase);
}

/**
 * Parses a `$search`: quoted clauses `"property:text"`, joined by upper-case AND and OR, with
 * parentheses.
 *
 * @throws ODataError Request_BadRequest, with the position.
 */
export function parseSearch(text: string): SearchNode {
  if (text.length > odataLimits.length)
    throw invalidOption(
      `Invalid search clause: it is longer than ${odataLimits.length} characters.`,
    );
  const parser = new SearchParser(text);
  return parser.parse();
}

class SearchParser {
  #position = 0;
  #depth = 0;
  #clauses = 0;

  constructor(private readonly text: string) {}

  parse(): SearchNode {
    const node = this.#operands('or');
    if (this.#skipBlanks() < this.text.length)
      this.#fail(`unexpected '${this.text[this.#position] ?? ''}'`);
    return node;
  }

  #operands(kind: 'or' | 'and'): SearchNode {
    const operands: SearchNode[] = [];
    do operands.push(kind === 'or' ? this.#operands('and') : this.#clauseOrGroup());
    while (this.#acceptWord(kind.toUpperCase()));
    const [onlyOperand] = operands;
    if (onlyOperand && operands.length === 1) return onlyOperand;
    return {
      kind,
      operands: operands.flatMap((node) => (node.kind === kind ? node.operands : [node])),
    };
  }

  #clauseOrGroup(): SearchNode {
    if (this.text[this.#skipBlanks()] !== '(') return this.#clause();
    this.#position++;
    if (++this.#depth > odataLimits.depth)
      this.#fail(`nested deeper than ${odataLimits.depth} levels`);
    const node = this.#operands('or');
    this.#depth--;
    if (this.text[this.#skipBlanks()] !== ')') this.#fail("expected ')'");
    this.#position++;
    return node;
  }

  #clause(): SearchNode {
    const position = this.#skipBlanks();
    if (this.text[position] !== '"')
      this.#fail('expected a clause in double quotes, such as "displayName:sales"');
    if (++this.#clauses > odataLimits.clauses)
      this.#fail(`more than ${odataLimits.clauses} clauses`);
    const body = this.#quoted(position);
    const colon = body.indexOf(':');
    const property = colon < 0 ? '' : body.slice(0, colon).trim();
    if (!/^[A-Za-z]\w*$/.test(property))
      throw syntaxError(
        'search',
        'a clause names a property before a colon, such as "displayName:sales"',
        position,
      );
    const text = body.slice(colon + 1).trim();
    if (text === '') throw syntaxError('search', 'a clause has a text after its colon', position);
    return { kind: 'clause', property, text };
  }

  #quoted(start: number): string {
    let body = '';
    for (let index = start + 1; index < this.text.length; index++) {
      const character = this.text[index] ?? '';
      if (character === '"') {
        this.#position = index + 1;
        return body;
      }
      if (character === '\\' && index + 1 < this.text.length) body += this.text[++index] ?? '';
      else body += character;
    }
    throw syntaxError('search', 'a double quote is not closed', start);
  }

  #acceptWord(word: string): boolean {
    const start = this.#skipBlanks();
    if (!this.text.startsWith(word, start) || !/[\s("]/.test(this.text[start + word.length] ?? ''))
      return false;
    this.#position = start + word.length;
    return true;
  }

  #skipBlanks(): number {
    while (/\s/.test(this.text[this.#position] ?? '')) this.#position++;
    return this.#position;
  }

  #fail(reason: string): never {
    throw syntaxError('search', reason, this.#position);
  }
}
