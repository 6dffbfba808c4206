import type * as Regexpp from '@eslint-community/regexpp';
import type * as Refa from 'refa';
import type { Automaton } from './automaton.js';
import { determinize, type StateTable } from './determinize.js';

/** The largest automaton of a pattern, in states. */
const maxStates = 5_000;
const maxCodePoint = 0x10ffff;
/**
 * The control characters STX and ETX stand for the beginning and the end of a text: values contain
 * no control characters.
 */
const startOfText = 2;
const endOfText = 3;

/** The automaton of a pattern, and how many steps of work it took to make it. */
interface PatternAutomaton {
  /** Undefined for a pattern that is not supported or too large. */
  readonly automaton: Automaton | undefined;
  /** The reason why there is none. */
  readonly reason: string;
  readonly steps: number;
}

const cache = new Map<string, PatternAutomaton>();
/** The steps of work that count for parsing, for each state, and for each range of characters. */
const [stepsPerPattern, stepsPerState, stepsPerRange] = [1_000, 10, 3];
/** How many automata are cached: editors and comparisons use the same patterns again and again. */
const maxCached = 500;

/**
 * Whether a pattern has shorthand classes such as `\d`: those of RE2 contain ASCII characters only,
 * those of .NET characters of all scripts.
 */
export function hasShorthandClasses(pattern: string): boolean {
  return /\\[wWdDsS]/.test(pattern);
}

/**
 * The automaton of the texts that a `-match` finds, created once for each pattern. There is none
 * for a pattern with parts that the engines of .NET, RE2 and JavaScript interpret differently, or
 * with too many states.
 *
 * @param isUnicode whether classes such as `\d` contain characters of all scripts
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
      : { ...automatonOf(table), differsOutsideAscii: !isUnicode && hasShorthandClasses(pattern) };
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

/** The characters in the classes of .NET, as JavaScript writes them within brackets. */
const unicodeClasses: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}',
  s: '\\t-\\r\\x85\\p{Z}',
};

/** A class of characters of all scripts; undefined for what can't be written within brackets. */
function unicodeClass(name: string, isWithinBrackets: boolean): string | undefined {
  const characters = unicodeClasses[name.toLowerCase()] ?? '';
  if (name.toLowerCase() === name) return isWithinBrackets ? characters : `[${characters}]`;
  if (isWithinBrackets) return name === 'D' ? '\\P{Nd}' : undefined;
  return `[^${characters}]`;
}

/** A pattern of RE2 in the spelling of JavaScript; undefined for what has no equal there. */
function toJavaScriptPattern(pattern: string, isUnicode: boolean): string | undefined {
  let isInBrackets = false;
  let text = '';
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? '';
    if (character === '\\') {
      const next = pattern[++index] ?? '';
      if (isUnicode && /[dDwWsS]/.test(next)) {
        const characterClass = unicodeClass(next, isInBrackets);
        if (characterClass === undefined) return undefined;
        text += characterClass;
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
      if (character === '[') {
        if (pattern[index + 1] === ':') return undefined;
        text += '\\[';
      } else {
        if (character === ']') isInBrackets = false;
        text += character;
      }
    } else if (character === '[') {
      isInBrackets = true;
      text += character;
      if (pattern[index + 1] === '^') text += pattern[++index] ?? '';
      if (pattern[index + 1] === ']') {
        text += '\\]';
        index++;
      }
    } else if (character === '(' && pattern[index + 1] === '?') {
      const opening = /^\(\?(:|P?<\w+>|i\))/.exec(pattern.slice(index))?.[1];
      if (opening === undefined || (opening === 'i)' && index > 0)) return undefined;
      if (opening !== 'i)') text += '(?:';
      index += opening.length + 1;
    } else text += character;
  }
  return text;
}

type Element = Refa.NoParent<Refa.Element>;
type Concatenation = Refa.NoParent<Refa.Concatenation>;

/**
 * The pattern anywhere in a text, with its anchors as characters; undefined for anchors in places that
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
  const allowedCharacters = controls.reduce(
    (set, range) => set.without(range),
    CharSet.all(maxCodePoint),
  );
  const charactersAndMarks = allowedCharacters.union([
    { min: startOfText, max: startOfText },
    { min: endOfText, max: endOfText },
  ]);
  const classOf = (characters: Refa.CharSet): Element => ({ type: 'CharacterClass', characters });
  const anything: Element = {
    type: 'Quantifier',
    min: 0,
    max: Infinity,
    lazy: false,
    alternatives: [{ type: 'Concatenation', elements: [classOf(charactersAndMarks)] }],
  };
  let isUnsupported = false;
  /** Rewrites alternatives. @returns them, and how many `^` and `$` a path through them has at most */
  const rewrite = (alternatives: readonly Concatenation[]): [Concatenation[], number[]] => {
    const maxCounts = [0, 0];
    const rewritten = alternatives.map((each): Concatenation => {
      const counts = [0, 0];
      const addCounts = (added: readonly number[]): void =>
        added.forEach((number, anchor) => (counts[anchor] = (counts[anchor] ?? 0) + number));
      const elements = each.elements.map((element): Element => {
        switch (element.type) {
          case 'CharacterClass':
            return classOf(element.characters.intersect(allowedCharacters));
          case 'Alternation': {
            const [inner, anchors] = rewrite(element.alternatives);
            addCounts(anchors);
            return { type: 'Alternation', alternatives: inner };
          }
          case 'Quantifier': {
            const [inner, anchors] = rewrite(element.alternatives);
            if (anchors.some((number) => number > 0)) isUnsupported = true;
            return { ...element, alternatives: inner };
          }
          case 'Assertion': {
            const isStart = element.kind === 'behind';
            if (!element.negate || !isAnyCharacter(element.alternatives)) isUnsupported = true;
            addCounts(isStart ? [1, 0] : [0, 1]);
            return classOf(CharSet.fromCharacter(maxCodePoint, isStart ? startOfText : endOfText));
          }
          default:
            isUnsupported = true;
            return anything;
        }
      });
      counts.forEach(
        (number, anchor) => (maxCounts[anchor] = Math.max(maxCounts[anchor] ?? 0, number)),
      );
      return { type: 'Concatenation', elements };
    });
    return [rewritten, maxCounts];
  };
  const [alternatives, anchors] = rewrite(expression.alternatives);
  if (isUnsupported || anchors.some((number) => number > 1)) return undefined;
  return {
    type: 'Expression',
    alternatives: alternatives.map(({ elements }) => ({
      type: 'Concatenation',
      elements: [anything, ...elements, anything],
    })),
  };
}

function isAnyCharacter(alternatives: readonly Concatenation[]): boolean {
  const [only] = alternatives;
  const [element] = only?.elements ?? [];
  return (
    alternatives.length === 1 &&
    only?.elements.length === 1 &&
    element?.type === 'CharacterClass' &&
    element.characters.isAll
  );
}

/** The table of a pattern, whose anchors are characters, as an automaton over texts. */
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
  const endSymbol = symbolOf(endOfText);
  const accepts = (state: number): boolean => finals.has(next(state, endSymbol));
  const isAllowed = (codePoint: number): boolean =>
    codePoint >= 0x20 && !(codePoint >= 0x7f && codePoint < 0xa0) && codePoint !== 0xd800;
  const allowedSymbols = new Set(
    symbols.filter((_symbol, index) => isAllowed(boundaries[index] ?? 0)),
  );
  const universal = universalStates(table, [...allowedSymbols], accepts);
  return {
    start: next(0, symbolOf(startOfText)),
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
  symbols: readonly number[],
  accepts: (state: number) => boolean,
): ReadonlySet<number> {
  const universal = new Set(table.flatMap((_row, state) => (accepts(state) ? [state] : [])));
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const state of universal)
      if (!symbols.every((symbol) => universal.has(table[state]?.[symbol] ?? -1))) {
        universal.delete(state);
        hasChanged = true;
      }
  }
  return universal;
}
