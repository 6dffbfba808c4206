import type { Attribute, Values } from './atom.js';
import type { Atoms } from './atoms.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { solve } from './solver.js';

/** Attributes whose values are addresses, also as entries of collections. */
const addressAttribute = /^user\.(?:userPrincipalName|mail|sipProxyAddress|otherMails\[\]\.)$/;
const proxyAddressAttribute = /^user\.proxyAddresses\[\]\.$/;

const looksLikeAddress = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** Patterns of addresses, the most plausible first: with a reserved domain, with a dot, any. */
const patterns = [
  '[a-z][a-z0-9.]*@([a-z][a-z0-9-]*\\.)+example$',
  '[a-z0-9][a-z0-9._+-]*@[a-z0-9][a-z0-9.-]*\\.[a-z]{2,}$',
  '[^@ ]+@[^@ ]+$',
];

/** In steps; much less than for a question, as without an address the value stays. */
const effortPerPattern = 60_000;

/**
 * Values that fulfil a formula as the given ones do, with an address for each attribute that
 * contains addresses: the shortest text often is none, such as `@contoso.example` for a pattern of
 * a domain.
 */
export function plausibleAddresses(formula: Formula, values: Values, atoms: Atoms): Values {
  let plausible = values;
  for (const [attribute, value] of values) {
    if (attribute.kind !== 'text' || typeof value !== 'string') continue;
    const prefix = prefixOf(attribute);
    if (prefix === undefined || looksLikeAddress.test(value)) continue;
    const address = addressFor(attribute, prefix, formula, plausible, atoms);
    if (address !== undefined) plausible = new Map([...plausible, [attribute, address]]);
  }
  return plausible;
}

/** The pattern with which addresses of an attribute begin; undefined for other attributes. */
function prefixOf({ name }: Attribute): string | undefined {
  if (proxyAddressAttribute.test(name)) return '^smtp:';
  return addressAttribute.test(name) ? '^' : undefined;
}

function addressFor(
  attribute: Attribute & { readonly kind: 'text' },
  prefix: string,
  formula: Formula,
  values: Values,
  atoms: Atoms,
): unknown {
  const { formulas, byNumber } = atoms;
  const otherConditions = formulas.assign(formula, (number) => {
    const atom = byNumber[number];
    if (atom === undefined || atom.attribute === attribute || !values.has(atom.attribute))
      return undefined;
    return atom.test(values.get(atom.attribute));
  });
  for (const pattern of patterns) {
    const effort = new Effort(effortPerPattern);
    try {
      const isAddress = atoms.patternMatch(attribute, prefix + pattern);
      const solution = solve(formulas.and([otherConditions, isAddress]), {
        formulas,
        atoms: byNumber,
        effort,
        onlyPlainCharacters: true,
      });
      if (solution?.size === 1) return solution.get(attribute);
    } catch (error) {
      if (!(error instanceof EffortExceededError)) throw error;
    }
  }
  return undefined;
}
