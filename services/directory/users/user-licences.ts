import { permit } from '../authorization/access.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import {
  assignedLicencesOf,
  licenceStatesOf,
  parseLicenceChanges,
  recalculateLicences,
} from '../groups/licences.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { formatInstant } from '../kernel/presentation.js';
import { entityBody } from '../kernel/single-object.js';
import { requireUser, userType } from './user-type.js';

const writeAccess = permit(
  ['LicenseAssignment.ReadWrite.All', 'User.ReadWrite.All', 'Directory.ReadWrite.All'],
  {
    roles: ['globalAdministrator', 'licenseAdministrator', 'userAdministrator', 'directoryWriters'],
  },
);

/** Adds `assignLicense` of users: licences of their own, beside those of their groups. */
export function addUserLicenceRoutes(router: Router): void {
  router.on('POST', '/users/{id}/assignLicense', writeAccess, assignLicense);
}

async function assignLicense(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { addedLicences, removedIds } = parseLicenceChanges(request.json());
  const changed = await directory.sql.transaction(async () => {
    const user = await requireUser(request);
    const { body } = user;
    if (addedLicences.length > 0 && !body['usageLocation'])
      throw badRequest(
        'License assignment cannot be done for user with invalid usage location.',
        'usageLocation',
      );
    const states = licenceStatesOf(body);
    for (const id of removedIds)
      requireDirectLicence(
        assignedLicencesOf(body).some(({ skuId }) => skuId === id),
        states.filter(({ skuId }) => skuId === id),
      );
    const changedIds = [...removedIds, ...addedLicences.map(({ skuId }) => skuId)];
    const lastUpdatedDateTime = formatInstant(directory.clock.now());
    await directory.objects.save(user, {
      ...body,
      assignedLicenses: [
        ...assignedLicencesOf(body).filter(({ skuId }) => !changedIds.includes(skuId)),
        ...addedLicences,
      ],
      licenseAssignmentStates: [
        ...states.filter(
          ({ skuId, assignedByGroup = null }) =>
            assignedByGroup !== null || !changedIds.includes(String(skuId)),
        ),
        ...addedLicences.map((licence) => ({
          ...licence,
          assignedByGroup: null,
          state: 'Active',
          error: 'None',
          lastUpdatedDateTime,
        })),
      ],
    });
    await recalculateLicences(directory, user);
    return requireUser(request, user.id);
  });
  return ok({
    ...entityBody(request, changed, userType),
    assignedLicenses: changed.body['assignedLicenses'],
  });
}

/**
 * Checks that a user has a licence, and not only from groups.
 *
 * @param states how the user has it; none for one of a seed.
 * @throws DirectoryError 400.
 */
function requireDirectLicence(
  isAssigned: boolean,
  states: readonly Readonly<Record<string, unknown>>[],
): void {
  if (!isAssigned)
    throw badRequest('User does not have a corresponding license.', 'removeLicenses');
  if (states.length > 0 && states.every((state) => (state['assignedByGroup'] ?? null) !== null))
    throw badRequest(
      'User license is inherited from a group membership and it cannot be removed directly from the user.',
      'removeLicenses',
    );
}
