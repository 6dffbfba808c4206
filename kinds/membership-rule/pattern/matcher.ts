import { isWord } from './characters.js';
import type { Step } from './program.js';

/**
 * Runs a compiled pattern over a text: all ways at once, character by character, so that the time is the length of the text times the
 * length of the pattern, whatever the pattern.
 */
export function matcherOf(steps: readonly Step[]): (text: string) => boolean {
  /** Where every match begins at the start of the text, there is nothing to try further on. */
  const anchored = steps[0]?.does === 'start';
  const seen = new Uint32Array(steps.length);
  let round = 0;
  let current: number[] = [];
  let next: number[] = [];
  const pending: number[] = [];

  /** Adds a step and everything that is reached from it without a character. @returns whether that is a match. */
  const enter = (step: number, into: number[], before: number, after: number): boolean => {
    pending.push(step);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen[at] === round) continue;
      seen[at] = round;
      const each = steps[at] as Step;
      if (each.does === 'match') {
        pending.length = 0;
        return true;
      }
      if (each.does === 'take') into.push(at);
      else if (each.does === 'split') pending.push(each.second, each.first);
      else if (holds(each.does, before, after)) pending.push(at + 1);
    }
    return false;
  };

  return (text) => {
    current.length = 0;
    let before = -1;
    for (let position = 0; position <= text.length;) {
      const character = position < text.length ? (text.codePointAt(position) as number) : -1;
      if (++round > 0xffff_fff0) {
        seen.fill(0);
        round = 1;
      }
      next.length = 0;
      for (const at of current) if (enter(at, next, before, character)) return true;
      // a match may begin anywhere
      if ((!anchored || before === -1) && enter(0, next, before, character)) return true;
      if (character === -1 || (anchored && next.length === 0)) return false;
      [current, next] = [next, current];
      next.length = 0;
      for (const at of current) {
        const step = steps[at] as Extract<Step, { does: 'take' }>;
        if (step.test(character)) next.push(at + 1);
      }
      [current, next] = [next, current];
      before = character;
      position += character > 0xffff ? 2 : 1;
    }
    return false;
  };
}

function holds(place: 'start' | 'end' | 'wordBoundary' | 'noWordBoundary', before: number, after: number): boolean {
  if (place === 'start') return before === -1;
  if (place === 'end') return after === -1;
  const boundary = (before !== -1 && isWord(before)) !== (after !== -1 && isWord(after));
  return boundary === (place === 'wordBoundary');
}
