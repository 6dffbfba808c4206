import { Unknown } from '@sinclair/typebox';
import { withSharedMetadata } from '../schema/property-metadata.js';
import { anyObject, boolean, dateTime, integer, list, text } from '../schema/schema-builders.js';
import { storedWithMailbox } from './property-schemas.js';

/** Properties of a group that only the service sets. */
export const setByService = () => ({
  id: 'The object id.',
  mail: 'The mail address, made from the mail nickname.',
  createdDateTime: dateTime('When the group was created.'),
  deletedDateTime: dateTime('When the group was deleted; it can be restored for 30 days.'),
  expirationDateTime: dateTime("When a unified group expires by the tenant's policy."),
  renewedDateTime: dateTime('When the group was last renewed; only the renew action changes it.'),
  assignedLicenses: list(anyObject('A licence.'), {
    description: 'The licences assigned to the group.',
    returned: 'select',
  }),
  hasMembersWithLicenseErrors: boolean('Whether members have license errors; for filters only.', {
    returned: 'never',
  }),
  licenseProcessingState: text('The state of the assignment of licences.', {
    returned: 'select',
  }),
  isManagementRestricted: boolean('Whether a restricted administrative unit holds the group.', {
    returned: 'select',
  }),
  onPremisesDomainName: 'DNS domain name in the on-premises directory, for a synchronized group.',
  onPremisesNetBiosName: 'NetBIOS domain name in the on-premises directory.',
  onPremisesLastSyncDateTime: dateTime(
    'When the group was last synchronized with the on-premises directory.',
  ),
  onPremisesProvisioningErrors: list(anyObject('An error.'), {
    description: 'Provisioning errors of the last synchronization.',
  }),
  onPremisesSamAccountName: 'SAM account name in the on-premises directory.',
  onPremisesSecurityIdentifier: 'Security identifier (SID) in the on-premises directory.',
  onPremisesSyncEnabled: boolean(
    'Whether the group is synchronized from an on-premises directory.',
  ),
  proxyAddresses: list(text('A mail address.'), {
    description: 'All mail addresses of the group.',
  }),
  securityIdentifier: 'Security identifier (SID) of the group.',
  serviceProvisioningErrors: list(anyObject('An error.'), {
    description: 'Errors of services that could not set up the group.',
  }),
});

/** Properties of a group that a configuration cannot declare, stored with its mailbox. */
export const notDeclared = () =>
  withSharedMetadata(storedWithMailbox, {
    cloudLicensing: Unknown({ description: "The group's licences in the cloud licensing API." }),
    isArchived: boolean(
      "Whether the group's team is read-only; only the team's archive and unarchive operations change it.",
    ),
    membershipRuleProcessingStatus: Unknown({
      description: 'The state of the processing of the rule.',
    }),
    unseenConversationsCount: integer('How many conversations the caller has not seen.', {
      valueWhenAbsent: 0,
    }),
    unseenCount: integer('Same as unseenConversationsCount.', { valueWhenAbsent: 0 }),
    unseenMessagesCount: integer('How many messages the caller has not seen.', {
      valueWhenAbsent: 0,
    }),
  });

/** The `writebackConfiguration` of a group that never had one. */
export const defaultWriteback = { isEnabled: false, onPremisesGroupType: null } as const;

/** Properties of a group that requests of the API set, or that it alone returns. */
export const onlyInApi = () => ({
  writebackConfiguration: anyObject('How the group is written to another directory.', {
    valueWhenAbsent: defaultWriteback,
  }),
  welcomeMessageEnabled: boolean('Whether new members are welcomed by mail.', {
    returned: 'select',
  }),
  ...withSharedMetadata(
    { readOnly: true },
    {
      creationOptions: list(text('An option.'), {
        description: 'The options with which the group was created.',
      }),
      licensesChangedAt: dateTime('When the licences changed last.', { returned: 'never' }),
      infoCatalogs: list(text('A catalogue.'), {
        description: 'Catalogues of information about the group.',
        returned: 'select',
      }),
      organizationId: text('The tenant.', { returned: 'select' }),
      onPremisesExtensionAttributes: anyObject(
        'Extension attributes in the on-premises directory.',
        { returned: 'select' },
      ),
    },
  ),
});
