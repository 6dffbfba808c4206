import type { Fix } from '../../core/findings/finding.js';

/** Paths of properties that decide who reaches something or belongs to it; `*` is any name. */
const accessPaths: readonly string[] = [
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

/** Values of these properties with which nobody gains access. */
const narrowingValues: Readonly<Record<string, unknown>> = {
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
  const editedPath = key === undefined ? path : [...path.slice(0, -1), key];
  // a corrected name above such a property brings the property in, too
  const isAboutAccess = accessPaths.some((each) =>
    each
      .split('.')
      .every(
        (step, index) =>
          index >= editedPath.length || step === '*' || step === String(editedPath[index]),
      ),
  );
  if (!isAboutAccess) return false;
  const last = String(editedPath.at(-1));
  if (Object.hasOwn(narrowingValues, last) && narrowingValues[last] === value && key === undefined)
    return false;
  // the default of an app's setting may be open, that of other sections is not
  const isRemoval = value === undefined && key === undefined;
  return !(isRemoval && path[0] !== 'containerApps');
}
