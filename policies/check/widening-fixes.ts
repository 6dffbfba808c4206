import type { Fix } from '../../core/findings/finding.js';

/** What says who reaches something or belongs to it, by the start of its path; `*` is any name. */
const opening: readonly string[] = [
  'principals.*',
  'groups.*.members',
  'groups.*.owners',
  'groups.*.dynamicMembership',
  'groups.*.membershipRule',
  'groups.*.membersManagedElsewhere',
  'groups.*.visibility',
  'groups.*.accessType',
  'groups.*.allowExternalSenders',
  'groups.*.isAssignableToRole',
  'registrations.*.owners',
  'registrations.*.redirectUris',
  'registrations.*.signInAudience',
  'registrations.*.appRoles',
  'workspaces.*.roles',
  'containerApps.*.auth.enabled',
  'containerApps.*.auth.restrictAccess',
  'containerApps.*.auth.unauthenticatedAction',
  'containerApps.*.auth.excludedPaths',
  'containerApps.*.auth.providers',
  'containerApps.*.auth.allowedExternalRedirectUrls',
  'containerApps.*.ingress.external',
  'containerApps.*.ingress.allowInsecure',
  'containerApps.*.ingress.ipRestrictions',
  'containerApps.*.ingress.cors',
];

/** Values that let nobody in who was not let in before. */
const closing: Readonly<Record<string, unknown>> = {
  visibility: 'Private',
  allowInsecure: false,
  external: false,
  restrictAccess: 'requireAuthentication',
};

/**
 * Whether an edit may let people in, or change who belongs to something. The meaning of a misspelt
 * name or rule is a guess, so that such an edit needs a person who reads it.
 */
export function mayWidenAccess({ path, value, key }: Fix): boolean {
  const edited = key === undefined ? path : [...path.slice(0, -1), key];
  const isOpening = opening.some((each) =>
    each.split('.').every((step, index) => step === '*' || step === String(edited[index])),
  );
  if (!isOpening) return false;
  const last = String(edited.at(-1));
  if (Object.hasOwn(closing, last) && closing[last] === value && key === undefined) return false;
  const isRemoval = value === undefined && key === undefined;
  return !(isRemoval && path[0] !== 'containerApps');
}
