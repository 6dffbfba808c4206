import type * as Regexpp from '@eslint-community/regexpp';
import type * as Refa from 'refa';
import type { Automaton } from './automaton.js';
import { determinize, type StateTable } from './determinize.js';

/** The largest automaton of a pattern, in states. */
const maxStates = 5_000;
const highest = 0x10ffff;
/** What stands for the beginning and the end of a text: values hold no control characters. */
const begin = 2;
const end = 3;

/** The automaton of a pattern, and how many steps of work it took to make it. */
interface Made {
  readonly automaton: Automaton | undefined;
  /** Why there is none. */
  readonly why: string;
  readonly steps: number;
}

const made = new Map<string, Made>();
/** What parsing takes, and each state and range of letters, in steps of work. */
const [stepsOfPattern, stepsOfState, stepsOfRange] = [1_000, 10, 3];
/**
 * So many automata are kept: editors and comparisons ask about the same patterns again and again.
 */
const maxCached = 500;

/** Classes of letters, which hold those of ASCII in RE2, and those of all scripts in .NET. */
export function hasLetterClasses(pattern: string): boolean {
  return /\\[wWdDsS]/.test(pattern);
}

/**
 * The texts that a `-match` finds, made once for each pattern. There is no automaton where the
 * pattern has parts that regular expressions of .NET, RE2 and JavaScript read differently, or is
 * too large.
 *
 * @param isUnicode whether classes such as `\d` hold letters of all scripts
 */
export function patternAutomaton(pattern: string, isUnicode: boolean): Made {
  const key = `${isUnicode ? 'Unicode' : 'ASCII'} ${pattern}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size >= maxCached) made.clear();
  const table = stateTable(pattern, isUnicode);
  const states = table === 'too large' ? maxStates : (table?.next.length ?? 0);
  const ranges = table === 'too large' ? 0 : (table?.boundaries.length ?? 0);
  const automaton =
    table === undefined || table === 'too large'
      ? undefined
      : { ...automatonOf(table), isAsciiOnly: !isUnicode && hasLetterClasses(pattern) };
  const why =
    table === 'too large'
      ? 'has too many states'
      : 'has parts that regular expressions read differently';
  const result = {
    automaton,
    why,
    steps: stepsOfPattern + states * stepsOfState + ranges * stepsOfRange,
  };
  made.set(key, result);
  return result;
}

/** refa's automaton of a pattern; undefined where it can't be written in JavaScript. */
function stateTable(pattern: string, isUnicode: boolean): StateTable | 'too large' | undefined {
  const written = asJavaScript(pattern, isUnicode);
  if (written === undefined) return undefined;
  // Loaded with the first pattern, since few rules have one.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const refa = require('refa') as typeof Refa;
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp;
  const parser = new RegExpParser();
  try {
    const { expression } = refa.JS.Parser.fromAst({
      pattern: parser.parsePattern(written, 0, written.length, { unicode: true }),
      flags: parser.parseFlags('isu'),
    }).parse({ maxNodes: maxStates });
    const anywhere = anywhereIn(expression, refa);
    if (anywhere === undefined) return undefined;
    const nfa = refa.NFA.fromRegex(
      anywhere,
      { maxCharacter: highest },
      {},
      new refa.NFA.LimitedNodeFactory(maxStates),
    );
    return determinize(nfa, maxStates, refa) ?? 'too large';
  } catch (error) {
    if (error instanceof refa.TooManyNodesError) return 'too large';
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What classes of letters hold in .NET, as JavaScript writes it within brackets. */
const unicodeClasses: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}',
  s: '\\t-\\r\\x85\\p{Z}',
};

/** A class of letters of all scripts; undefined for what can't be written within brackets. */
function unicodeClass(name: string, isWithinBrackets: boolean): string | undefined {
  const held = unicodeClasses[name.toLowerCase()] ?? '';
  if (name.toLowerCase() === name) return isWithinBrackets ? held : `[${held}]`;
  if (isWithinBrackets) return name === 'D' ? '\\P{Nd}' : undefined;
  return `[^${held}]`;
}

/** A pattern of RE2 in the spelling of JavaScript; undefined for what has no equal there. */
function asJavaScript(pattern: string, isUnicode: boolean): string | undefined {
  let isClass = false;
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? '';
    if (letter === '\\') {
      const next = pattern[++at] ?? '';
      if (isUnicode && /[dDwWsS]/.test(next)) {
        const written = unicodeClass(next, isClass);
        if (written === undefined) return undefined;
        text += written;
      } else if (/[dDwWtnrfv]/.test(next)) text += `\\${next}`;
      else if (next === 's') text += isClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]';
      else if (next === 'S' && !isClass) text += '[^\\t\\n\\f\\r ]';
      else if (next === 'A' && !isClass) text += '^';
      else if (next === 'z' && !isClass) text += '$';
      else if (/[\^$\\.*+?()[\]{}|/]/.test(next) || (isClass && next === '-')) text += `\\${next}`;
      else if (/[^\w\s]/.test(next) && next <= '~') text += next;
      else return undefined;
    } else if (isClass) {
      if (letter === '[') {
        if (pattern[at + 1] === ':') return undefined;
        text += '\\[';
      } else {
        if (letter === ']') isClass = false;
        text += letter;
      }
    } else if (letter === '[') {
      isClass = true;
      text += letter;
      if (pattern[at + 1] === '^') text += pattern[++at] ?? '';
      if (pattern[at + 1] === ']') {
        text += '\\]';
        at++;
      }
    } else if (letter === '(' && pattern[at + 1] === '?') {
      const opening = /^\(\?(:|P?<\w+>|i\))/.exec(pattern.slice(at))?.[1];
      if (opening === undefined || (opening === 'i)' && at > 0)) return undefined;
      if (opening !== 'i)') text += '(?:';
      at += opening.length + 1;
    } else text += letter;
  }
  return text;
}

type Element = Refa.NoParent<Refa.Element>;
type Concatenation = Refa.NoParent<Refa.Concatenation>;

/** The pattern with its anchors as letters, found anywhere; undefined for anchors in odd places. */
function anywhereIn(
  expression: Refa.NoParent<Refa.Expression>,
  { CharSet }: typeof Refa,
): Refa.NoParent<Refa.Expression> | undefined {
  const controls = [
    { min: 0, max: 0x1f },
    { min: 0x7f, max: 0x9f },
    { min: 0xd800, max: 0xdfff },
  ];
  const letters = controls.reduce((set, range) => set.without(range), CharSet.all(highest));
  const lettersAndEnds = letters.union([
    { min: begin, max: begin },
    { min: end, max: end },
  ]);
  const classOf = (characters: Refa.CharSet): Element => ({ type: 'CharacterClass', characters });
  const any: Element = {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [{ type: 'Concatenation', elements: [classOf(lettersAndEnds)] }],
  };
  let isOdd = false;
  /** Rewrites alternatives. @returns the most anchors of each kind on a way through them */
  const rewrite = (alternatives: readonly Concatenation[]): [Concatenation[], number[]] => {
    const most = [0, 0];
    const rewritten = alternatives.map((each): Concatenation => {
      const count = [0, 0];
      const add = (other: readonly number[]): void =>
        other.forEach((number, kind) => (count[kind] = (count[kind] ?? 0) + number));
      const elements = each.elements.map((element): Element => {
        switch (element.type) {
          case 'CharacterClass':
            return classOf(element.characters.intersect(letters));
          case 'Alternation': {
            const [inner, anchors] = rewrite(element.alternatives);
            add(anchors);
            return { type: 'Alternation', alternatives: inner };
          }
          case 'Quantifier': {
            const [inner, anchors] = rewrite(element.alternatives);
            if (anchors.some((number) => number > 0)) isOdd = true;
            return { ...element, alternatives: inner };
          }
          case 'Assertion': {
            const isStart = element.kind === 'behind';
            if (!element.negate || !isAnyLetter(element.alternatives)) isOdd = true;
            add(isStart ? [1, 0] : [0, 1]);
            return classOf(CharSet.fromCharacter(highest, isStart ? begin : end));
          }
          default:
            isOdd = true;
            return any;
        }
      });
      count.forEach((number, kind) => (most[kind] = Math.max(most[kind] ?? 0, number)));
      return { type: 'Concatenation', elements };
    });
    return [rewritten, most];
  };
  const [alternatives, anchors] = rewrite(expression.alternatives);
  if (isOdd || anchors.some((number) => number > 1)) return undefined;
  return {
    type: 'Expression',
    alternatives: alternatives.map(({ elements }) => ({
      type: 'Concatenation',
      elements: [any, ...elements, any],
    })),
  };
}

function isAnyLetter(alternatives: readonly Concatenation[]): boolean {
  const [only] = alternatives;
  const [element] = only?.elements ?? [];
  return (
    alternatives.length === 1 &&
    only?.elements.length === 1 &&
    element?.type === 'CharacterClass' &&
    element.characters.isAll
  );
}

/** The table of a pattern, whose anchors are letters, as an automaton over texts. */
function automatonOf({ boundaries, symbols, next: table, finals }: StateTable): Automaton {
  const symbolOf = (codePoint: number): number => {
    let [low, high] = [0, boundaries.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((boundaries[middle] ?? 0) <= codePoint) low = middle;
      else high = middle - 1;
    }
    return symbols[low] ?? 0;
  };
  const next = (state: number, symbol: number): number => table[state]?.[symbol] ?? -1;
  const atEnd = symbolOf(end);
  const accepts = (state: number): boolean => finals.has(next(state, atEnd));
  const isLetter = (codePoint: number): boolean =>
    codePoint >= 0x20 && !(codePoint >= 0x7f && codePoint < 0xa0) && codePoint !== 0xd800;
  const letters = new Set(symbols.filter((_symbol, at) => isLetter(boundaries[at] ?? 0)));
  const universal = universalStates(table, [...letters], accepts);
  return {
    start: next(0, symbolOf(begin)),
    boundaries,
    symbolOf,
    next,
    accepts,
    isUniversal: (state) => universal.has(state),
  };
}

/** The states that accept whatever follows. */
function universalStates(
  table: StateTable['next'],
  letters: readonly number[],
  accepts: (state: number) => boolean,
): ReadonlySet<number> {
  const universal = new Set(table.flatMap((_row, state) => (accepts(state) ? [state] : [])));
  for (let isOpen = true; isOpen;) {
    isOpen = false;
    for (const state of universal)
      if (!letters.every((symbol) => universal.has(table[state]?.[symbol] ?? -1))) {
        universal.delete(state);
        isOpen = true;
      }
  }
  return universal;
}
