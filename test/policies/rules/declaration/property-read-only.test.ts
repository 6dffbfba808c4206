import { judge } from '../support/judge.js';
import { unifiedGroup } from '../support/stacks.js';

/** What people, other systems or the directory itself set. */
const properties = [
  'isArchived',
  'unseenCount',
  'unseenConversationsCount',
  'unseenMessagesCount',
  'cloudLicensing',
  'membershipRuleProcessingStatus',
  'id',
  'mail',
  'createdDateTime',
  'deletedDateTime',
  'expirationDateTime',
  'renewedDateTime',
  'assignedLicenses',
  'hasMembersWithLicenseErrors',
  'licenseProcessingState',
  'isManagementRestricted',
  'onPremisesDomainName',
  'onPremisesSyncEnabled',
  'proxyAddresses',
  'securityIdentifier',
  'serviceProvisioningErrors',
  'onPremisesSamAccountName',
];

judge('property-read-only', {
  finds: properties.map((name) => [`${name} of a group`, unifiedGroup(`${name}: x`)] as const),
});
