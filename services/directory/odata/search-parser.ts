import type { SearchNode } from './ast.js';
import { odataLimits } from './limits.js';
import { ODataError, syntaxError } from './odata-error.js';

/**
 * Parses a `$search`: quoted clauses `"property:text"`, joined by upper-case AND and OR, with parentheses.
 *
 * @throws ODataError Request_BadRequest, with the position.
 */
export function parseSearch(text: string): SearchNode {
  if (text.length > odataLimits.length)
    throw new ODataError('Request_BadRequest', `Invalid search clause: it is longer than ${odataLimits.length} characters.`);
  const parser = new SearchParser(text);
  return parser.whole();
}

class SearchParser {
  #position = 0;
  #depth = 0;
  #clauses = 0;

  constructor(private readonly text: string) {}

  whole(): SearchNode {
    const node = this.#joined('or');
    if (this.#skipBlanks() < this.text.length) this.#fail(`unexpected '${this.text[this.#position] ?? ''}'`);
    return node;
  }

  #joined(kind: 'or' | 'and'): SearchNode {
    const operands: SearchNode[] = [];
    do operands.push(kind === 'or' ? this.#joined('and') : this.#unit());
    while (this.#acceptWord(kind.toUpperCase()));
    const [only] = operands;
    if (only && operands.length === 1) return only;
    return { kind, operands: operands.flatMap((node) => (node.kind === kind ? node.operands : [node])) };
  }

  #unit(): SearchNode {
    if (this.text[this.#skipBlanks()] !== '(') return this.#clause();
    this.#position++;
    if (++this.#depth > odataLimits.depth) this.#fail(`nested deeper than ${odataLimits.depth} levels`);
    const node = this.#joined('or');
    this.#depth--;
    if (this.text[this.#skipBlanks()] !== ')') this.#fail("expected ')'");
    this.#position++;
    return node;
  }

  #clause(): SearchNode {
    const position = this.#skipBlanks();
    if (this.text[position] !== '"') this.#fail('expected a clause in double quotes, such as "displayName:sales"');
    if (++this.#clauses > odataLimits.clauses) this.#fail(`more than ${odataLimits.clauses} clauses`);
    const body = this.#quoted(position);
    const colon = body.indexOf(':');
    const property = colon < 0 ? '' : body.slice(0, colon).trim();
    if (!/^[A-Za-z]\w*$/.test(property))
      throw syntaxError('search', 'a clause names a property before a colon, such as "displayName:sales"', position);
    const searched = body.slice(colon + 1).trim();
    if (searched === '') throw syntaxError('search', 'a clause has a text after its colon', position);
    return { kind: 'clause', property, text: searched, position };
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
    if (!this.text.startsWith(word, start) || !/[\s("]/.test(this.text[start + word.length] ?? '')) return false;
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

/** Writes a search that parses into the same tree. */
export function printSearch(node: SearchNode): string {
  if (node.kind === 'clause') return `"${`${node.property}:${node.text}`.replace(/["\\]/g, '\\$&')}"`;
  const operands = node.operands.map((operand) => (operand.kind === 'clause' ? printSearch(operand) : `(${printSearch(operand)})`));
  return operands.join(` ${node.kind.toUpperCase()} `);
}
