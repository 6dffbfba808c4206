import type { PathToken } from './path.js';

/**
 * Patterns of paths by their segments. A word matches however its letters are written, with the namespace and without; `{cast}` matches
 * what has the namespace; any other `{name}` matches what hasn't. Where several patterns match, the one with the earlier words counts, and
 * of two equal ones the first.
 */
export class PatternNode<Value> {
  readonly #words = new Map<string, PatternNode<Value>>();
  #cast: PatternNode<Value> | undefined;
  #key: PatternNode<Value> | undefined;
  /** The values of this path, by method. */
  readonly #values = new Map<string, Value>();

  add(pattern: readonly string[], method: string, value: Value): void {
    const [segment, ...rest] = pattern;
    if (segment !== undefined) this.#next(segment).add(rest, method, value);
    else if (!this.#values.has(method)) this.#values.set(method, value);
  }

  find(tokens: readonly PathToken[], method: string, at = 0): Value | undefined {
    const token = tokens[at];
    if (token === undefined) return this.#values.get(method);
    const word = token.kind === 'key' ? undefined : this.#words.get(token.text.toLowerCase());
    const found = word?.find(tokens, method, at + 1);
    if (found !== undefined) return found;
    return (token.kind === 'qualified' ? this.#cast : this.#key)?.find(tokens, method, at + 1);
  }

  /** The methods that a path could be asked with. */
  methods(tokens: readonly PathToken[], at = 0): Set<string> {
    const token = tokens[at];
    if (token === undefined) return new Set(this.#values.keys());
    const word = token.kind === 'key' ? undefined : this.#words.get(token.text.toLowerCase());
    const other = token.kind === 'qualified' ? this.#cast : this.#key;
    return new Set([word, other].flatMap((node) => [...(node?.methods(tokens, at + 1) ?? [])]));
  }

  #next(segment: string): PatternNode<Value> {
    if (segment === '{cast}') return (this.#cast ??= new PatternNode());
    if (segment.startsWith('{')) return (this.#key ??= new PatternNode());
    const word = segment.toLowerCase();
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const node = new PatternNode<Value>();
    this.#words.set(word, node);
    return node;
  }
}
