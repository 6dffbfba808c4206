import type { Relation } from '../store/relations.js';
import { addReferringObjectRoutes } from '../kernel/reference-operations.js';
import { randomUUID } from 'node:crypto';
import { badRequest, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import { resolveSeedReference, seedObject } from '../kernel/seeding.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import { mergeProperties, requireProperties } from '../kernel/body-properties.js';
import { addSeededDomains } from '../domains/domains-module.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  checkUser,
  managerNotFound,
  duplicateNameError,
  withAccountDefaults,
  withCanonicalValues,
} from './user-rules.js';
import { addManagerReadRoutes, managerOf, seedManager } from './manager.js';
import { addSignInSessionRoutes } from './sign-in-sessions.js';
import { addUserLicenceRoutes } from './user-licences.js';
import {
  findReadableUser,
  findUser,
  requireReadableUser,
  requireUser,
  userListAccess,
  userReadAccess,
  userType,
  userWriteAccess,
} from './user-type.js';
import { storePassword, type PasswordProfile, hashPasswordProfile } from './passwords.js';
import { securityIdentifier } from '../groups/group-type.js';
import { formatInstant } from '../kernel/presentation.js';
import type { Router } from '../http/router.js';
import { idOfRefBody, resolveReference } from '../kernel/references.js';

/** Properties of a seeded user that other modules store, or that are ignored. */
const notStored = ['authenticationMethods', 'manager', 'passwordProfile'];

/** Users, found by id or user principal name. */
export const usersModule: DirectoryModule = {
  types: [userType],
  routes(router) {
    addStandardOperations(router, {
      type: userType,
      read: userListAccess,
      readOne: { ...userReadAccess, allowsGuests: true },
      find: findReadableUser,
      propertiesLeftToCreateAndChange: ['passwordProfile'],
      deltaRelations: ['manager'],
      prepare: async (request, body) =>
        hashPasswordProfile(body['passwordProfile'], await passwordPoliciesFor(request, body)),
      create: (request, values, _body, profile) => newUser(request, values, profile),
      change: async (request, current, values, _body, profile) => {
        await checkUser(request.directory, values, current);
        const next = mergeProperties(current.body, withCanonicalValues(values), [
          'employeeOrgData',
          'onPremisesExtensionAttributes',
        ]);
        if (!profile) return next;
        const withProfile = {
          ...next,
          passwordProfile: profile.toStored(current.body['passwordProfile']),
        };
        if (!profile.hashedPassword) return withProfile;
        await storePassword(request.directory, current.id, profile.hashedPassword);
        return {
          ...withProfile,
          lastPasswordChangeDateTime: currentInstant(request),
        };
      },
    });
    addManagerRoutes(router);
    addSignInSessionRoutes(router);
    addUserLicenceRoutes(router);
    for (const [name, referring] of Object.entries(referringRelations))
      addReferringObjectRoutes(router, `/users/{id}/${name}`, {
        access: userReadAccess,
        find: requireReadableUser,
        relations: referring,
      });
  },
  async seed(directory, { users = [] }) {
    await addSeededDomains(directory, users);
    const withDefaults = (body: Body, id: string): Body =>
      withServiceProperties(body, id, directory.clock.now());
    for (const entry of users)
      await seedObject(directory, userType, entry, {
        list: 'users',
        notStored,
        withDefaults,
        conflict: duplicateNameError,
      });
  },
  async seedReferences(directory, { users = [] }) {
    for (const entry of users) {
      if (entry['manager'] === undefined) continue;
      const user = await resolveSeedReference(
        directory,
        'users',
        entry['id'] ?? entry['userPrincipalName'],
      );
      await seedManager(directory, 'users', user, entry['manager']);
    }
  },
};

async function newUser(
  request: DirectoryRequest,
  values: Record<string, unknown>,
  profile: PasswordProfile | undefined,
): Promise<{ id: string; body: Body; afterCreate: () => Promise<void> }> {
  const { directory } = request;
  requireProperties(userType, values, ['displayName', 'userPrincipalName']);
  if (!profile?.hashedPassword)
    throw badRequest(
      "A value is required for property 'passwordProfile' of resource 'user'.",
      'passwordProfile',
    );
  await checkUser(directory, values);
  const id = randomUUID();
  const { hashedPassword } = profile;
  return {
    id,
    body: {
      ...withServiceProperties(withCanonicalValues(values), id, directory.clock.now()),
      passwordProfile: profile.toStored(),
    },
    afterCreate: () => storePassword(directory, id, hashedPassword),
  };
}

/** The password policies of a body or, where it has none, of the user that it changes. */
async function passwordPoliciesFor(request: DirectoryRequest, body: Body): Promise<unknown> {
  if (body['passwordPolicies'] !== undefined) return body['passwordPolicies'];
  const user = await findUser(request, request.key('id'));
  return user?.body['passwordPolicies'];
}

/** A user with the values that the service sets. */
function withServiceProperties(values: Body, id: string, now: Date): Body {
  return {
    createdDateTime: formatInstant(now),
    securityIdentifier: securityIdentifier(id),
    ...withAccountDefaults(values, id),
  };
}

function currentInstant({ directory }: DirectoryRequest): string {
  return formatInstant(directory.clock.now());
}

/** The lists of objects that refer to a user, and the relations by which they do. */
const referringRelations: Readonly<Record<string, readonly Relation[]>> = {
  directReports: ['manager'],
  ownedObjects: ['owners', 'applicationOwners'],
  ownedDevices: ['registeredOwners'],
  registeredDevices: ['registeredUsers'],
};

/** The types of objects that can be a user's manager. */
const managerTypes: readonly string[] = ['user', 'orgContact'];

/** Adds the operations of a user's manager. */
function addManagerRoutes(router: Router): void {
  addManagerReadRoutes(router, '/users/{id}', userReadAccess, requireReadableUser);
  router.on('PUT', '/users/{id}/manager/$ref', userWriteAccess, setManager);
  router.on('DELETE', '/users/{id}/manager/$ref', userWriteAccess, (request) => {
    const { directory } = request;
    return request.runInTransaction(async () => {
      const user = await requireUser(request);
      const manager = await managerOf(directory, user);
      // Also deletes the reference to a deleted manager, which a restore would bring back.
      const hadDeletedManager = await directory.deletion.deleteReferenceToDeleted(user, 'manager');
      if (!manager && !hadDeletedManager) throw managerNotFound();
      if (manager) await directory.links.remove(user, 'manager', manager);
      await notifyUserListeners(request, user);
    });
  });
}

function setManager(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const managerId = idOfRefBody(directory, request.json(), managerTypes);
  return request.runInTransaction(async () => {
    const user = await requireUser(request);
    const manager = await resolveReference(directory, managerId);
    if (!managerTypes.includes(manager.type))
      throw badRequest(
        'Not a valid reference update: a manager is a user or an organizational contact.',
      );
    const previous = await managerOf(directory, user);
    if (previous?.id === manager.id) return;
    if (previous) await directory.links.remove(user, 'manager', previous);
    await directory.deletion.deleteReferenceToDeleted(user, 'manager');
    await directory.links.add(user, 'manager', manager);
    await notifyUserListeners(request, user);
  });
}

/**
 * Saves a user unchanged, so that listeners evaluate the membership rules that read the manager.
 */
async function notifyUserListeners(
  { directory }: DirectoryRequest,
  user: StoredObject,
): Promise<void> {
  await directory.objects.save(user, user.body);
}
