import { escapedCharacter, escapedSet, ignoringCase } from './characters.js';
import type { CharacterTest, PatternNode } from './syntax.js';
import { PatternError } from './syntax.js';

const maximumRepeat = 1000;
const maximumDepth = 50;
const anything: CharacterTest = (character) => character !== 10 && character !== 13;

/**
 * Parses a regular expression: characters, sets, groups, alternatives, repetitions, anchors. What can't be matched in time linear in
 * the text (back references, look-around) is refused.
 *
 * @throws PatternError
 */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser([...pattern]).whole();
}

class PatternParser {
  #index = 0;
  #depth = 0;

  constructor(private readonly characters: readonly string[]) {}

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#index < this.characters.length) throw new PatternError('a closing parenthesis has no opening one');
    return node;
  }

  #choice(): PatternNode {
    const nodes = [this.#sequence()];
    while (this.#accept('|')) nodes.push(this.#sequence());
    return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: 'choice', nodes };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    for (let next = this.#next; next !== undefined && next !== '|' && next !== ')'; next = this.#next)
      nodes.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', nodes };
  }

  #repeated(node: PatternNode): PatternNode {
    const range = this.#range();
    if (!range) return node;
    if (node.kind !== 'character' && node.kind !== 'sequence' && node.kind !== 'choice')
      throw new PatternError('there is nothing to repeat');
    this.#accept('?'); // whether a repetition is lazy makes no difference to whether there is a match
    if (this.#next === '*' || this.#next === '+' || this.#next === '?') throw new PatternError('there is nothing to repeat');
    return { kind: 'repeat', node, minimum: range[0], maximum: range[1] };
  }

  #range(): [number, number] | undefined {
    if (this.#accept('*')) return [0, Infinity];
    if (this.#accept('+')) return [1, Infinity];
    if (this.#accept('?')) return [0, 1];
    const bounds =
      this.#next === '{' ? /^\{(\d{1,5})(?:(,)(\d{1,5})?)?\}/.exec(this.characters.slice(this.#index, this.#index + 14).join('')) : null;
    if (!bounds) return undefined;
    this.#index += bounds[0].length;
    const minimum = Number(bounds[1]);
    const maximum = bounds[3] !== undefined ? Number(bounds[3]) : bounds[2] === undefined ? minimum : Infinity;
    if (maximum < minimum) throw new PatternError('the numbers of a repetition are out of order');
    if (minimum > maximumRepeat || (maximum !== Infinity && maximum > maximumRepeat))
      throw new PatternError(`nothing is repeated more than ${maximumRepeat} times`);
    return [minimum, maximum];
  }

  #atom(): PatternNode {
    const character = this.#take();
    switch (character) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'character', test: anything };
      case '(':
        return this.#group();
      case '[':
        return { kind: 'character', test: this.#set() };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new PatternError('there is nothing to repeat');
      default:
        return { kind: 'character', test: single(character.codePointAt(0) ?? 0) };
    }
  }

  #group(): PatternNode {
    if (this.#accept('?')) {
      if (this.#accept('<')) this.#groupName();
      else if (!this.#accept(':')) throw new PatternError('look-around and options in a group are not supported');
    }
    if (++this.#depth > maximumDepth) throw new PatternError(`groups are nested deeper than ${maximumDepth} levels`);
    const node = this.#choice();
    this.#depth--;
    if (!this.#accept(')')) throw new PatternError('a group is not closed');
    return node.kind === 'choice' ? node : { kind: 'sequence', nodes: [node] };
  }

  #groupName(): void {
    if (this.#next === '=' || this.#next === '!') throw new PatternError('look-around is not supported');
    while (this.#next !== undefined && /\w/.test(this.#next)) this.#index++;
    if (!this.#accept('>')) throw new PatternError('the name of a group is not closed');
  }

  #escape(): PatternNode {
    const letter = this.#take('a backslash stands at the end');
    if (letter === 'b') return { kind: 'wordBoundary' };
    if (letter === 'B') return { kind: 'noWordBoundary' };
    if (/[1-9k]/.test(letter)) throw new PatternError('references to groups are not supported');
    const set = escapedSet(letter);
    return { kind: 'character', test: set ?? single(this.#codeOf(letter)) };
  }

  #codeOf(letter: string): number {
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : 0;
    if (digits > 0) {
      const hex = this.characters.slice(this.#index, this.#index + digits).join('');
      if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex)) throw new PatternError(`\\${letter} takes ${digits} hexadecimal digits`);
      this.#index += digits;
      return Number.parseInt(hex, 16);
    }
    const code = escapedCharacter(letter);
    if (code === undefined) throw new PatternError(`\\${letter} has no meaning`);
    return code;
  }

  #set(): CharacterTest {
    const negated = this.#accept('^');
    const tests: CharacterTest[] = [];
    let first = true;
    while (this.#next !== ']' || first) {
      const low = this.#setEntry();
      first = false;
      if (typeof low === 'number' && this.#next === '-' && this.characters[this.#index + 1] !== ']') {
        this.#index++;
        const high = this.#setEntry();
        if (typeof high !== 'number' || high < low) throw new PatternError('a range in a set is out of order');
        tests.push((character) => character >= low && character <= high);
      } else tests.push(typeof low === 'number' ? (character) => character === low : low);
    }
    this.#index++;
    const any = ignoringCase((character) => tests.some((test) => test(character)));
    return negated ? (character) => !any(character) : any;
  }

  #setEntry(): number | CharacterTest {
    const character = this.#take('a set is not closed');
    if (character !== '\\') return character.codePointAt(0) ?? 0;
    const letter = this.#take('a backslash stands at the end');
    return escapedSet(letter) ?? (letter === 'b' ? 8 : this.#codeOf(letter));
  }

  get #next(): string | undefined {
    return this.characters[this.#index];
  }

  #take(missing = 'the pattern ends too early'): string {
    const character = this.#next;
    if (character === undefined) throw new PatternError(missing);
    this.#index++;
    return character;
  }

  #accept(character: string): boolean {
    if (this.#next !== character) return false;
    this.#index++;
    return true;
  }
}

function single(code: number): CharacterTest {
  return ignoringCase((character) => character === code);
}
