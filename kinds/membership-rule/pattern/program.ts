import type { CharacterTest, PatternNode } from './syntax.js';
import { PatternError } from './syntax.js';

/** One step of a compiled pattern: it takes a character, goes on in one or two ways, asserts a place, or has found a match. */
export type Step =
  | { readonly does: 'take'; readonly test: CharacterTest }
  | { does: 'split'; first: number; second: number }
  | { readonly does: 'start' | 'end' | 'wordBoundary' | 'noWordBoundary' | 'match' };

const maximumSteps = 5000;

/**
 * Compiles a parsed pattern to the steps of a machine.
 *
 * @throws PatternError when it would need too many.
 */
export function compilePattern(pattern: PatternNode): readonly Step[] {
  const steps: Step[] = [];
  emit(pattern, steps);
  steps.push({ does: 'match' });
  return steps;
}

function emit(node: PatternNode, steps: Step[]): void {
  if (steps.length > maximumSteps) throw new PatternError('it repeats too much');
  switch (node.kind) {
    case 'character':
      steps.push({ does: 'take', test: node.test });
      return;
    case 'sequence':
      for (const each of node.nodes) emit(each, steps);
      return;
    case 'choice':
      return emitChoice(node.nodes, steps);
    case 'repeat':
      return emitRepeat(node, steps);
    default:
      steps.push({ does: node.kind });
  }
}

function emitChoice(nodes: readonly PatternNode[], steps: Step[]): void {
  const exits: Extract<Step, { does: 'split' }>[] = [];
  for (const [index, node] of nodes.entries()) {
    const last = index === nodes.length - 1;
    const entry = split();
    if (!last) steps.push(entry);
    entry.first = steps.length;
    emit(node, steps);
    if (last) break;
    const exit = split();
    steps.push(exit);
    exits.push(exit);
    entry.second = steps.length;
  }
  for (const exit of exits) exit.first = exit.second = steps.length;
}

function emitRepeat({ node, minimum, maximum }: Extract<PatternNode, { kind: 'repeat' }>, steps: Step[]): void {
  for (let count = 0; count < minimum; count++) emit(node, steps);
  if (maximum === Infinity) {
    const loop = split();
    const at = steps.length;
    steps.push(loop);
    loop.first = steps.length;
    emit(node, steps);
    const back = split();
    back.first = back.second = at;
    steps.push(back);
    loop.second = steps.length;
    return;
  }
  const optional: Extract<Step, { does: 'split' }>[] = [];
  for (let count = minimum; count < maximum; count++) {
    const entry = split();
    steps.push(entry);
    optional.push(entry);
    entry.first = steps.length;
    emit(node, steps);
  }
  for (const entry of optional) entry.second = steps.length;
}

function split(): Extract<Step, { does: 'split' }> {
  return { does: 'split', first: 0, second: 0 };
}
