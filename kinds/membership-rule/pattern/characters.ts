import type { CharacterTest } from './syntax.js';

/** Word characters: what `\w` stands for, and what `\b` stands between. */
export function isWord(character: number): boolean {
  return (
    (character >= 0x30 && character <= 0x39) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x61 && character <= 0x7a) ||
    character === 0x5f
  );
}

/** The sets behind `\d`, `\w`, `\s` and their opposites, and behind `\t`, `\n` and their like. */
export function escapedSet(letter: string): CharacterTest | undefined {
  switch (letter) {
    case 'd':
      return isDigit;
    case 'D':
      return (character) => !isDigit(character);
    case 'w':
      return isWord;
    case 'W':
      return (character) => !isWord(character);
    case 's':
      return isBlank;
    case 'S':
      return (character) => !isBlank(character);
    default:
      return undefined;
  }
}

/** What `\t`, `\n` and other letters stand for; undefined for letters without a meaning. Everything else stands for itself. */
export function escapedCharacter(letter: string): number | undefined {
  const named = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }[letter];
  if (named !== undefined) return named;
  return /[A-Za-z0-9]/.test(letter) ? undefined : letter.codePointAt(0);
}

/** A set as patterns mean it: letter case doesn't matter. ASCII, which most texts are, is looked up in a table. */
export function ignoringCase(test: CharacterTest): CharacterTest {
  const ascii = Uint8Array.from({ length: 128 }, (_, character) => Number(inEitherCase(test, character)));
  return (character) => (character < 128 ? ascii[character] === 1 : inEitherCase(test, character));
}

function inEitherCase(test: CharacterTest, character: number): boolean {
  if (test(character)) return true;
  const text = String.fromCodePoint(character);
  const upper = text.toUpperCase();
  if (upper !== text && test(upper.codePointAt(0) ?? 0)) return true;
  const lower = text.toLowerCase();
  return lower !== text && test(lower.codePointAt(0) ?? 0);
}

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

function isBlank(character: number): boolean {
  return character === 0x20 || (character >= 9 && character <= 13) || /\s/.test(String.fromCodePoint(character));
}
