import { type IResolvable, Token } from './cdktf.js';

/**
 * A token whose text is computed each time it is resolved: for an attribute of a resource that its
 * construct may later replace by another resource. Unlike the value of a `Lazy`, it does not count
 * as a later change of the resource: `constructs/stack/changed-resources.ts` recognizes tokens of
 * `Lazy` by their class names.
 */
export function lazyText(compute: () => string): string {
  return Token.asString(new ComputedText(compute));
}

class ComputedText implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly compute: () => string) {}

  resolve(): string {
    return this.compute();
  }

  toString(): string {
    return Token.asString(this);
  }

  toJSON(): string {
    return '<lazy>';
  }
}
