import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';
import type { SeedLists } from '../../../services/common/seed.js';
import { type DrawnGroup, type DrawnStack, firstSeededGroup } from './draw.js';

/** Ids of what exists before a stack is applied. */
export const ids = {
  person: (index: number): string => `aaaaaaaa-0000-4000-8000-00000000000${String(index)}`,
  seeded: (index: number): string => `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, '0')}`,
  stranger: 'cccccccc-0000-4000-8000-000000000000',
  application: 'dddddddd-0000-4000-8000-000000000000',
  client: 'dddddddd-0000-4000-8000-000000000001',
  servicePrincipal: 'dddddddd-0000-4000-8000-000000000002',
  otherClient: 'dddddddd-0000-4000-8000-000000000003',
};

/** A person's user principal name. */
export const nameOf = (index: number): string => `person-${String(index)}@contoso.example`;

/**
 * What exists before the stack is applied, as a seed: for the real directory and for the answer
 * alike.
 */
export function seedOf({ people, seeded, registration }: DrawnStack): SeedLists {
  return {
    users: people.map(({ department, guest, enabled, manager, otherProperties }, index) => ({
      id: ids.person(index),
      userPrincipalName: nameOf(index),
      displayName: `Person ${String(index)}`,
      ...omitUndefined({ department }),
      ...(guest && { userType: 'Guest' }),
      ...(!enabled && { accountEnabled: false }),
      ...(manager !== undefined && manager !== index && { manager: ids.person(manager) }),
      ...otherProperties,
    })),
    groups: seeded.map((group, index) => ({
      id: ids.seeded(index),
      displayName: `Seeded ${String(index)}`,
      members: [...group.people.map(ids.person), ...group.groups.map(ids.seeded)],
    })),
    applications: [{ id: ids.application, appId: ids.client, displayName: 'Sign-in' }],
    servicePrincipals: [
      {
        id: ids.servicePrincipal,
        appId: ids.client,
        displayName: 'Sign-in',
        appRoleAssignmentRequired: registration.assignmentRequired,
        appRoleAssignedTo: [
          ...registration.assignedPeople.map(ids.person),
          ...registration.assignedGroups.map(ids.seeded),
        ].map((principalId) => ({ principalId })),
      },
    ],
  };
}

/** The groups that a security group may hold: unified ones can't be members. */
export function nestable({ groups }: DrawnStack, places: readonly number[]): number[] {
  return places.filter((index) => groups[index]?.unified === false);
}

/** The stack as someone would declare it. */
export function configOf(stack: DrawnStack): StackConfig {
  const { people, groups, registration, auth } = stack;
  const reference = (index: number): string =>
    index < firstSeededGroup
      ? `Group-${String(index)}`
      : index < firstSeededGroup + 100
        ? ids.seeded(index - firstSeededGroup)
        : ids.stranger;
  const client = (which: 'own' | 'other'): string =>
    which === 'own' ? ids.client : ids.otherClient;
  const mapIfDefined = <T, U>(value: T | undefined, map: (value: T) => U): U | undefined =>
    value === undefined ? undefined : map(value);
  const config = {
    version: 1,
    stack: 'drawn',
    principals: Object.fromEntries(
      people.map((_, index) => [`person-${String(index)}`, { user: nameOf(index) }]),
    ),
    registrations: {
      login: {
        displayName: 'Sign-in',
        groupMembershipClaims: registration.claims,
        assignmentRequired: registration.assignmentRequired,
      },
    },
    groups: Object.fromEntries(
      groups.map((group, index) => [`Group-${String(index)}`, declaredGroup(group, index, stack)]),
    ),
    containerApps: {
      shop: {
        image: 'shop:1',
        ingress: { external: true },
        auth: {
          enabled: auth.enabled,
          restrictAccess: auth.restrictAccess,
          unauthenticatedAction: auth.action,
          redirectTo: auth.redirect ? 'directory' : undefined,
          excludedPaths: auth.excludedPaths,
          preserveUrlFragments: auth.preserveFragments,
          routes: { logoutEndpoint: auth.logoutEndpoint, apiPrefix: auth.apiPrefix },
          providers: {
            directory: {
              registration: 'login',
              allowedGroups: auth.allowedGroups?.map(reference),
              claimGroups: auth.claimGroups?.map(reference),
              allowedPrincipals: auth.allowedPeople?.map((index) => `person-${String(index)}`),
              allowedApplications: mapIfDefined(auth.allowedApplications, (list) =>
                list.map(client),
              ),
              allowedClientApplications: mapIfDefined(auth.allowedClientApplications, (list) =>
                list.map(client),
              ),
            },
            ...(auth.otherProvider && {
              codehost: { clientId: 'Iv1', clientSecret: 'secret:codehost' },
            }),
          },
        },
      },
    },
  };
  return JSON.parse(JSON.stringify(config)) as StackConfig; // what isn't given isn't there
}

/** The rule of a group; undefined for one whose members are listed. */
export function ruleOf({ members }: DrawnGroup): string | undefined {
  switch (members.kind) {
    case 'list':
      return undefined;
    case 'rule':
      return members.rule;
    case 'reports':
      return `Direct Reports for "${ids.person(members.manager)}"`;
    case 'memberOf':
      return `user.memberof -any (group.objectId -in [${members.groups.map((index) => `'${ids.seeded(index)}'`).join(', ')}])`;
  }
}

function declaredGroup(group: DrawnGroup, index: number, stack: DrawnStack): object {
  const { members, unified, securityEnabled } = group;
  const rule = ruleOf(group);
  return {
    kind: unified ? 'unified' : 'security',
    displayName: `Group ${String(index)}`,
    ...(unified && { securityEnabled }),
    ...(members.kind === 'list'
      ? {
          members: [
            ...members.people.map((each) => `person-${String(each)}`),
            ...(unified
              ? []
              : nestable(stack, members.groups).map((each) => `Group-${String(each)}`)),
          ],
        }
      : {
          dynamicMembership: {
            rule,
            processing: members.kind === 'rule' && members.paused ? 'Paused' : 'On',
          },
        }),
  };
}
