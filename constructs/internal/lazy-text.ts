import { type IResolvable, Token } from './cdktf.js';

/**
 * A text that is asked for whenever it is resolved: an attribute of a resource that another one may
 * replace. Unlike a `Lazy` of the user it is no change of what was declared.
 */
export function lazyText(text: () => string): string {
  return Token.asString(new LaterText(text));
}

class LaterText implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly text: () => string) {}

  resolve(): string {
    return this.text();
  }

  toString(): string {
    return Token.asString(this);
  }

  toJSON(): string {
    return '<later>';
  }
}
