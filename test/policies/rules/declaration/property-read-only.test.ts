import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

/** Properties that the directory, other systems or people set, but no declaration. */
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

testRule('property-read-only', {
  finds: properties.map((name) => [`${name} of a group`, unifiedGroup(`${name}: x`)] as const),
});
