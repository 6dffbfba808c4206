import type { Body } from '../store/objects.js';

/** Whether a rule selects the members of an administrative unit. */
export function isDynamicUnit({ membershipType }: Body): boolean {
  return membershipType === 'Dynamic';
}
