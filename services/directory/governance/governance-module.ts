import { randomUUID } from 'node:crypto';
import { permit } from '../authorization/access.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { DirectoryModule } from '../directory-module.js';
import { badRequest } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { formatInstant } from '../kernel/presentation.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { commonPropertyRules, sortableText } from '../odata/property-rules.js';
import { inviteUser } from './invitations.js';
import { addRoleManagementPolicyRoutes } from './role-management-policies.js';
import { processDueSchedules } from './schedule-lifecycle.js';
import { addScheduleRoutes } from './schedules.js';

/** A collection of policies or other records of the tenant that are only stored, without effect. */
interface StoredCollection {
  /** `/identity/userFlowAttributes`: also the collection in the `RecordStore`. */
  readonly path: string;
  /** Permissions of which a caller needs one. */
  readonly readPermissions: readonly string[];
  /** Permissions of which a caller needs one to write. */
  readonly writePermissions: readonly string[];
  /** Directory roles of which a signed-in user needs one to write. */
  readonly writeRoles: readonly DirectoryRole[];
  /** The properties that a new record needs. */
  readonly requiredProperties: readonly string[];
  /** The types allowed in `@odata.type` of a body, which is required. */
  readonly subtypes?: readonly string[];
}

const conditionalAccess = {
  readPermissions: ['Policy.Read.All', 'Policy.ReadWrite.ConditionalAccess'],
  writePermissions: ['Policy.ReadWrite.ConditionalAccess'],
  writeRoles: ['globalAdministrator', 'conditionalAccessAdministrator', 'securityAdministrator'],
} as const;
const entitlement = {
  readPermissions: ['EntitlementManagement.Read.All', 'EntitlementManagement.ReadWrite.All'],
  writePermissions: ['EntitlementManagement.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'identityGovernanceAdministrator'],
} as const;
const userFlow = {
  readPermissions: ['IdentityUserFlow.Read.All', 'IdentityUserFlow.ReadWrite.All'],
  writePermissions: ['IdentityUserFlow.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'userFlowAdministrator', 'userFlowAttributeAdministrator'],
} as const;

const storedCollections: readonly StoredCollection[] = [
  {
    path: '/identity/conditionalAccess/policies',
    ...conditionalAccess,
    requiredProperties: ['displayName', 'state', 'conditions'],
  },
  {
    path: '/identity/conditionalAccess/namedLocations',
    ...conditionalAccess,
    requiredProperties: ['displayName'],
    subtypes: ['ipNamedLocation', 'countryNamedLocation'],
  },
  ...[
    'catalogs',
    'accessPackageCatalogs',
    'accessPackages',
    'accessPackageAssignmentPolicies',
    'assignmentPolicies',
  ].map((name) => ({
    path: `/identityGovernance/entitlementManagement/${name}`,
    ...entitlement,
    requiredProperties: ['displayName'],
  })),
  {
    path: '/identity/userFlowAttributes',
    ...userFlow,
    requiredProperties: ['displayName', 'dataType'],
  },
];

/**
 * Sign-in policies, access packages and user flow attributes, stored as sent; guest invitations;
 * time-limited access.
 */
export const governanceModule: DirectoryModule = {
  tick: processDueSchedules,
  routes(router, directory) {
    addScheduleRoutes(router, directory);
    addRoleManagementPolicyRoutes(router);
    for (const collection of storedCollections) addCollectionRoutes(router, collection);
    router.on(
      'POST',
      '/invitations',
      permit(['User.Invite.All', 'User.ReadWrite.All', 'Directory.ReadWrite.All']),
      inviteUser,
    );
  },
};

const queryRules = {
  resource: 'Policy',
  properties: { ...commonPropertyRules, displayName: sortableText(['eq', 'in', 'startsWith']) },
};

function addCollectionRoutes(router: Router, collection: StoredCollection): void {
  const { path, writeRoles } = collection;
  const currentInstant = ({ directory }: DirectoryRequest): string =>
    formatInstant(directory.clock.now());
  addRecordOperations(router, {
    path,
    collection: path,
    queryRules,
    read: permit(collection.readPermissions),
    write: permit(collection.writePermissions, { roles: writeRoles }),
    allowRemove: true,
    create(request) {
      const body = settableProperties(request, collection);
      for (const name of collection.requiredProperties)
        if ((body[name] ?? null) === null)
          throw badRequest(`A value is required for property '${name}'.`, name);
      const now = currentInstant(request);
      return request.directory.records.put(path, '', randomUUID(), {
        ...body,
        createdDateTime: now,
        modifiedDateTime: now,
      });
    },
    async change(request, { id, body }) {
      const changedBody = {
        ...body,
        ...settableProperties(request, collection),
        modifiedDateTime: currentInstant(request),
      };
      await request.directory.records.put(path, '', id, changedBody);
    },
  });
}

/** A body without the properties that only the service sets. @throws DirectoryError 400. */
function settableProperties(
  request: DirectoryRequest,
  { subtypes }: StoredCollection,
): Record<string, unknown> {
  const {
    id: _id,
    createdDateTime: _created,
    modifiedDateTime: _modified,
    ...body
  } = request.json();
  const prefix = `#${request.directory.namespace}.`;
  const types = subtypes?.map((name) => `${prefix}${name}`);
  if (types !== undefined && !types.includes(String(body['@odata.type'])))
    throw badRequest(`'@odata.type' must be ${types.join(' or ')}.`, '@odata.type');
  for (const name of ['displayName', 'description'])
    if (typeof (body[name] ?? '') !== 'string')
      throw badRequest(`'${name}' must be a string.`, name);
  return body;
}
