import type { Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { plausibleAddresses } from './plausible-addresses.js';
import { solve } from './solver.js';
import type { Atoms } from './atoms.js';

/** Much less than for a question: there are many people, and any of them will do. */
const effortEach = 5_000;

/**
 * Changes one attribute of somebody so that a formula becomes true; undefined where one is not
 * enough.
 *
 * @param read the present value of an attribute.
 * @param isChangeable whether it may change
 */
export function nearestChange(
  formula: Formula,
  known: Atoms,
  read: (attribute: Attribute) => unknown,
  isChangeable: (attribute: Attribute) => boolean,
): Values | undefined {
  const { formulas, byNumber: atoms } = known;
  const numbers = formulas.atomsOf(formula);
  const truth = new Map<number, boolean>();
  const attributes = new Set<Attribute>();
  for (const number of numbers) {
    const atom = atoms[number];
    if (atom === undefined) continue;
    truth.set(number, atom.test(read(atom.attribute)));
    if (isChangeable(atom.attribute)) attributes.add(atom.attribute);
  }
  for (const attribute of attributes) {
    const rest = formulas.assign(formula, (number) =>
      atoms[number]?.attribute === attribute ? undefined : truth.get(number),
    );
    if (rest === formulas.false) continue;
    try {
      const effort = new Effort(effortEach);
      const values = solve(rest, { formulas, atoms, effort, isPlain: true });
      if (values !== undefined) return plausibleAddresses(rest, values, known);
    } catch (error) {
      if (!(error instanceof EffortExceededError)) throw error;
    }
  }
  return undefined;
}
