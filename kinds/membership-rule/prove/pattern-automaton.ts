import type * as Regexpp from '@eslint-community/regexpp';
import type * as Refa from 'refa';
import type { Automaton } from './automaton.js';
import { determinize, type StateTable } from './determinize.js';

/** The largest automaton of a pattern, in states. */
const maxStates = 5_000;
const maxCodePoint = 0x10ffff;
/**
 * Control characters that stand for the beginning and the end of a text, as values contain none.
 */
const begin = 2;
const end = 3;

/** The automaton of a pattern, and how many steps of work it took to make it. */
interface PatternAutomaton {
  readonly automaton: Automaton | undefined;
  /** The reason why there is none. */
  readonly reason: string;
  readonly steps: number;
}

const cache = new Map<string, PatternAutomaton>();
/** The steps of work that count for parsing, for each state, and for each range of letters. */
const [stepsPerPattern, stepsPerState, stepsPerRange] = [1_000, 10, 3];
/** How many automata are cached: editors and comparisons use the same patterns again and again. */
const maxCached = 500;

/**
 * Whether a pattern has classes such as `\d`: RE2's contain letters of ASCII, .NET's of all
 * scripts.
 */
export function hasLetterClasses(pattern: string): boolean {
  return /\\[wWdDsS]/.test(pattern);
}

/**
 * The automaton of the texts that a `-match` finds, created once for each pattern. There is none
 * for a pattern with parts that the engines of .NET, RE2 and JavaScript interpret differently, or
 * with too many states.
 *
 * @param isUnicode whether classes such as `\d` contain letters of all scripts
 */
export function patternAutomaton(pattern: string, isUnicode: boolean): PatternAutomaton {
  const key = `${isUnicode ? 'Unicode' : 'ASCII'} ${pattern}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= maxCached) cache.clear();
  const table = stateTable(pattern, isUnicode);
  const states = table === 'too large' ? maxStates : (table?.next.length ?? 0);
  const ranges = table === 'too large' ? 0 : (table?.boundaries.length ?? 0);
  const automaton =
    table === undefined || table === 'too large'
      ? undefined
      : { ...automatonOf(table), isAsciiOnly: !isUnicode && hasLetterClasses(pattern) };
  const reason =
    table === 'too large'
      ? 'has too many states'
      : 'has parts that regular expressions read differently';
  const result = {
    automaton,
    reason,
    steps: stepsPerPattern + states * stepsPerState + ranges * stepsPerRange,
  };
  cache.set(key, result);
  return result;
}

/** The states of a pattern; undefined where JavaScript has no equal pattern. */
function stateTable(pattern: string, isUnicode: boolean): StateTable | 'too large' | undefined {
  const javaScriptPattern = toJavaScriptPattern(pattern, isUnicode);
  if (javaScriptPattern === undefined) return undefined;
  // Loaded with the first pattern, since few rules have one.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const refa = require('refa') as typeof Refa;
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp;
  const parser = new RegExpParser();
  try {
    const { expression } = refa.JS.Parser.fromAst({
      pattern: parser.parsePattern(javaScriptPattern, 0, javaScriptPattern.length, {
        unicode: true,
      }),
      flags: parser.parseFlags('isu'),
    }).parse({ maxNodes: maxStates });
    const expressionAnywhere = unanchored(expression, refa);
    if (expressionAnywhere === undefined) return undefined;
    const nfa = refa.NFA.fromRegex(
      expressionAnywhere,
      { maxCharacter: maxCodePoint },
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

/** The letters in the classes of .NET, as JavaScript writes them within brackets. */
const unicodeClasses: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}',
  s: '\\t-\\r\\x85\\p{Z}',
};

/** A class of letters of all scripts; undefined for what can't be written within brackets. */
function unicodeClass(name: string, isWithinBrackets: boolean): string | undefined {
  const letters = unicodeClasses[name.toLowerCase()] ?? '';
  if (name.toLowerCase() === name) return isWithinBrackets ? letters : `[${letters}]`;
  if (isWithinBrackets) return name === 'D' ? '\\P{Nd}' : undefined;
  return `[^${letters}]`;
}

/** A pattern of RE2 in the spelling of JavaScript; undefined for what has no equal there. */
function toJavaScriptPattern(pattern: string, isUnicode: boolean): string | undefined {
  let isInBrackets = false;
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? '';
    if (letter === '\\') {
      const next = pattern[++at] ?? '';
      if (isUnicode && /[dDwWsS]/.test(next)) {
        const written = unicodeClass(next, isInBrackets);
        if (written === undefined) return undefined;
        text += written;
      } else if (/[dDwWtnrfv]/.test(next)) text += `\\${next}`;
      else if (next === 's') text += isInBrackets ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]';
      else if (next === 'S' && !isInBrackets) text += '[^\\t\\n\\f\\r ]';
      else if (next === 'A' && !isInBrackets) text += '^';
      else if (next === 'z' && !isInBrackets) text += '$';
      else if (/[\^$\\.*+?()[\]{}|/]/.test(next) || (isInBrackets && next === '-'))
        text += `\\${next}`;
      else if (/[^\w\s]/.test(next) && next <= '~') text += next;
      else return undefined;
    } else if (isInBrackets) {
      if (letter === '[') {
        if (pattern[at + 1] === ':') return undefined;
        text += '\\[';
      } else {
        if (letter === ']') isInBrackets = false;
        text += letter;
      }
    } else if (letter === '[') {
      isInBrackets = true;
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

/**
 * The pattern anywhere in a text, with its anchors as letters; undefined for anchors in places that
 * are not supported.
 */
function unanchored(
  expression: Refa.NoParent<Refa.Expression>,
  { CharSet }: typeof Refa,
): Refa.NoParent<Refa.Expression> | undefined {
  const controls = [
    { min: 0, max: 0x1f },
    { min: 0x7f, max: 0x9f },
    { min: 0xd800, max: 0xdfff },
  ];
  const letters = controls.reduce((set, range) => set.without(range), CharSet.all(maxCodePoint));
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
  let isUnsupported = false;
  /** Rewrites alternatives. @returns them, and the most `^` and `$` on a path through them */
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
            if (anchors.some((number) => number > 0)) isUnsupported = true;
            return { ...element, alternatives: inner };
          }
          case 'Assertion': {
            const isStart = element.kind === 'behind';
            if (!element.negate || !isAnyLetter(element.alternatives)) isUnsupported = true;
            add(isStart ? [1, 0] : [0, 1]);
            return classOf(CharSet.fromCharacter(maxCodePoint, isStart ? begin : end));
          }
          default:
            isUnsupported = true;
            return any;
        }
      });
      count.forEach((number, kind) => (most[kind] = Math.max(most[kind] ?? 0, number)));
      return { type: 'Concatenation', elements };
    });
    return [rewritten, most];
  };
  const [alternatives, anchors] = rewrite(expression.alternatives);
  if (isUnsupported || anchors.some((number) => number > 1)) return undefined;
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
  const letters = new Set(symbols.filter((_symbol, index) => isLetter(boundaries[index] ?? 0)));
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
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const state of universal)
      if (!letters.every((symbol) => universal.has(table[state]?.[symbol] ?? -1))) {
        universal.delete(state);
        hasChanged = true;
      }
  }
  return universal;
}
