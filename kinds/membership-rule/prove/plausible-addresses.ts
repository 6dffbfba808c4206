import type { Attribute, Values } from './atom.js';
import type { Atoms } from './atoms.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { solve } from './solver.js';

/** Texts that are addresses, and entries of collections of them. */
const address = /^user\.(?:userPrincipalName|mail|sipProxyAddress|otherMails\[\]\.)$/;
const proxyAddress = /^user\.proxyAddresses\[\]\.$/;

const looksLikeAddress = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** What an address looks like, the most plausible first: a reserved domain, one with a dot. */
const patterns = [
  '[a-z][a-z0-9.]*@([a-z][a-z0-9-]*\\.)+example$',
  '[a-z0-9][a-z0-9._+-]*@[a-z0-9][a-z0-9.-]*\\.[a-z]{2,}$',
  '[^@ ]+@[^@ ]+$',
];

/** Much less than for a question: another spelling decides nothing. */
const effortEach = 60_000;

/**
 * Values that fulfil a formula as these do, with an address where an attribute holds one: what is
 * shortest is often none, such as `@contoso.example` for a pattern that asks for the domain.
 */
export function plausibleAddresses(formula: Formula, values: Values, atoms: Atoms): Values {
  let plausible = values;
  for (const [attribute, value] of values) {
    if (attribute.kind !== 'text' || typeof value !== 'string') continue;
    const prefix = prefixOf(attribute);
    if (prefix === undefined || looksLikeAddress.test(value)) continue;
    const other = addressFor(attribute, prefix, formula, plausible, atoms);
    if (other !== undefined) plausible = new Map([...plausible, [attribute, other]]);
  }
  return plausible;
}

/** What every value begins with, as a pattern; undefined for an attribute without addresses. */
function prefixOf({ name }: Attribute): string | undefined {
  if (proxyAddress.test(name)) return '^smtp:';
  return address.test(name) ? '^' : undefined;
}

function addressFor(
  attribute: Attribute & { readonly kind: 'text' },
  prefix: string,
  formula: Formula,
  values: Values,
  atoms: Atoms,
): unknown {
  const { formulas, byNumber } = atoms;
  const others = formulas.assign(formula, (number) => {
    const atom = byNumber[number];
    if (atom === undefined || atom.attribute === attribute || !values.has(atom.attribute))
      return undefined;
    return atom.test(values.get(atom.attribute));
  });
  for (const pattern of patterns) {
    const effort = new Effort(effortEach);
    try {
      const isAddress = atoms.patternMatch(attribute, prefix + pattern);
      const found = solve(formulas.and([others, isAddress]), {
        formulas,
        atoms: byNumber,
        effort,
        isPlain: true,
      });
      if (found?.size === 1) return found.get(attribute);
    } catch (error) {
      if (!(error instanceof EffortExceededError)) throw error;
    }
  }
  return undefined;
}
