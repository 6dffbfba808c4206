import type { ProofExample } from '../../access/prove/proof.js';

/** The fields of the simulator's form that describe an example; properties without a value have none. */
export function simulatorFields({
  attributes,
  groups = [],
  roles = [],
}: ProofExample): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) =>
        value === null || value === undefined ? [] : [[name, String(value)]],
      ),
    ),
    ...(groups.length !== 0 && { groups: groups.join(', ') }),
    ...(roles.length !== 0 && { role: 'true' }),
  };
}
