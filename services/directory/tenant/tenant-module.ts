import { permit } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import { listDomains } from '../domains/domains-module.js';
import { assignedLicencesOf } from '../groups/licences.js';
import type { DirectoryRequest } from '../http/request.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import type { StoredRecord } from '../store/records.js';

const directoryPermissions = ['Directory.Read.All', 'Directory.ReadWrite.All'];
const organizationReadAccess = permit([
  'User.Read',
  'Organization.Read.All',
  'Organization.ReadWrite.All',
  ...directoryPermissions,
]);
const licenceReadAccess = permit([
  'LicenseAssignment.Read.All',
  'LicenseAssignment.ReadWrite.All',
  'Organization.Read.All',
  ...directoryPermissions,
]);

/** The organization of the directory, and its subscribed licences. */
export const tenantModule: DirectoryModule = {
  routes(router) {
    addRecordOperations(router, {
      path: '/organization',
      read: organizationReadAccess,
      list: async (request) => [await organization(request)],
    });
    addRecordOperations(router, {
      path: '/subscribedSkus',
      read: licenceReadAccess,
      list: subscribedSkus,
    });
  },
};

async function organization({ directory, tenantId }: DirectoryRequest): Promise<StoredRecord> {
  const domains = await listDomains(directory);
  const verifiedDomains = domains
    .filter(({ body }) => body['isVerified'] === true)
    .map(({ id, body: { isDefault, isInitial, authenticationType, supportedServices } }) => ({
      capabilities: [supportedServices].flat().join(', '),
      isDefault,
      isInitial,
      name: id,
      type: authenticationType,
    }));
  return {
    id: tenantId,
    body: {
      displayName: directory.tenant.displayName,
      tenantType: 'AAD',
      verifiedDomains,
      createdDateTime: null,
      deletedDateTime: null,
      city: null,
      country: null,
      countryLetterCode: null,
      postalCode: null,
      state: null,
      street: null,
      preferredLanguage: null,
      businessPhones: [],
      technicalNotificationMails: [],
      marketingNotificationEmails: [],
      assignedPlans: [],
      provisionedPlans: [],
      securityComplianceNotificationMails: [],
      securityComplianceNotificationPhones: [],
      onPremisesSyncEnabled: null,
      onPremisesLastSyncDateTime: null,
      partnerTenantType: null,
      privacyProfile: null,
    },
  };
}

/**
 * The licences that users or groups have. Nothing is bought in this service, so each licence has as
 * many units as users have it.
 */
async function subscribedSkus({
  directory,
  tenantId,
}: DirectoryRequest): Promise<readonly StoredRecord[]> {
  const units = new Map<string, number>();
  for (const type of ['user', 'group'])
    for await (const { body } of directory.objects.allOfType(type))
      for (const { skuId } of assignedLicencesOf(body))
        units.set(skuId, (units.get(skuId) ?? 0) + Number(type === 'user'));
  return [...units].map(([skuId, consumedUnits]) => ({
    id: `${tenantId}_${skuId}`,
    body: {
      accountId: tenantId,
      accountName: directory.tenant.displayName,
      appliesTo: 'User',
      capabilityStatus: 'Enabled',
      skuId,
      skuPartNumber: skuId,
      consumedUnits,
      servicePlans: [],
      subscriptionIds: [],
      prepaidUnits: { enabled: consumedUnits, suspended: 0, warning: 0, lockedOut: 0 },
    },
  }));
}
