import type { Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { plausibleAddresses } from './plausible-addresses.js';
import { solve } from './solver.js';
import type { Atoms } from './atoms.js';

/** In steps; much less than for a question, as many people are tried and one is enough. */
const effortPerPerson = 5_000;

/**
 * A change of one attribute of somebody with which a formula becomes true; undefined if no single
 * change is enough.
 *
 * @param read the present value of an attribute.
 * @param isChangeable whether it may change
 */
export function nearestChange(
  formula: Formula,
  atoms: Atoms,
  read: (attribute: Attribute) => unknown,
  isChangeable: (attribute: Attribute) => boolean,
): Values | undefined {
  const { formulas, byNumber } = atoms;
  const numbers = formulas.atomsOf(formula);
  const truth = new Map<number, boolean>();
  const attributes = new Set<Attribute>();
  for (const number of numbers) {
    const atom = byNumber[number];
    if (atom === undefined) continue;
    truth.set(number, atom.test(read(atom.attribute)));
    if (isChangeable(atom.attribute)) attributes.add(atom.attribute);
  }
  for (const attribute of attributes) {
    const remaining = formulas.assign(formula, (number) =>
      byNumber[number]?.attribute === attribute ? undefined : truth.get(number),
    );
    if (remaining === formulas.false) continue;
    try {
      const effort = new Effort(effortPerPerson);
      const values = solve(remaining, {
        formulas,
        atoms: byNumber,
        effort,
        onlyPlainCharacters: true,
      });
      if (values !== undefined) return plausibleAddresses(remaining, values, atoms);
    } catch (error) {
      if (!(error instanceof EffortExceededError)) throw error;
    }
  }
  return undefined;
}
