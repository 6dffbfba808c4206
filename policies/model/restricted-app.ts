import type { AuthProps } from '../../kinds/auth/auth.js';

/** Whether a requirement for the whole app lets only some of those who signed in through. */
export function hasRequirementForAll({ requirements }: AuthProps): boolean {
  return (Array.isArray(requirements) ? requirements : []).some(
    ({ path, groups, claims, emailDomains }) =>
      path === '/' && (groups ?? claims ?? emailDomains) !== undefined,
  );
}
