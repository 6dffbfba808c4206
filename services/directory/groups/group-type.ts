import { assignmentNavigation } from '../grants/assignment-store.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { seesMembers } from '../membership/hidden-groups.js';
import { groupQueryRules } from '../odata/index.js';
import type { Body } from '../store/objects.js';
import { groupWriters } from '../authorization/directory-roles.js';
import { checkNicknameFree } from './free-names.js';
import { isCreatable, isDynamic, isUnified } from './kinds.js';
import { licenceState } from './licence-state.js';

const text: Property = { type: 'string', returned: 'default' };
const flag: Property = { type: 'boolean', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const readOnlyDate: Property = { type: 'dateTime', returned: 'default', readOnly: true };
const strings: Property = { type: 'strings', returned: 'default' };
/** A switch kept outside the main store. */
const outside = (absent: boolean | null): Property => ({ type: 'boolean', returned: 'single', absent });
const outsideCount: Property = { type: 'integer', returned: 'single', absent: 0 };

/** What `writebackConfiguration` says of a group that never had any. */
export const neverWrittenBack = { isEnabled: false, onPremisesGroupType: null } as const;

/** The directory's permissions that show groups. */
export const groupReadPermissions = [
  'GroupMember.Read.All',
  'GroupMember.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
] as const;

/** The lookup value of groups whose membership is being kept by a rule. */
export const dynamicKey = 'dynamic';
/** The lookup value of dynamic groups whose processing is paused. */
export const pausedKey = 'dynamic-paused';

/** The group (directory rules, "Group properties" and "Group relationships"): one row of the table per property. */
export const groupType: ObjectType = {
  name: 'group',
  collection: 'groups',
  open: true,
  queryRules: groupQueryRules,
  readPermissions: groupReadPermissions,
  writePermissions: ['Group.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: groupWriters,
  softDelete: isCreatable,
  checkRestore: checkNicknameFree,
  // Groups whose rule is being processed are found by this key when a user or a device changes.
  lookups: (body) => ({
    alternateKey: !isDynamic(body) ? undefined : body['membershipRuleProcessingState'] === 'On' ? dynamicKey : pausedKey,
  }),
  properties: {
    deletedDateTime: readOnlyDate,
    classification: text,
    createdDateTime: readOnlyDate,
    creationOptions: { ...strings, readOnly: true },
    description: text,
    displayName: { ...text, notNull: true },
    expirationDateTime: readOnlyDate,
    groupTypes: { ...strings, notNull: true },
    isAssignableToRole: flag,
    mail: readOnlyText,
    mailEnabled: { ...flag, notNull: true },
    mailNickname: { ...text, notNull: true },
    membershipRule: text,
    membershipRuleProcessingState: text,
    onPremisesDomainName: readOnlyText,
    onPremisesLastSyncDateTime: readOnlyDate,
    onPremisesNetBiosName: readOnlyText,
    onPremisesProvisioningErrors: { type: 'objects', returned: 'default', readOnly: true },
    onPremisesSamAccountName: readOnlyText,
    onPremisesSecurityIdentifier: readOnlyText,
    onPremisesSyncEnabled: { ...flag, readOnly: true },
    preferredDataLocation: text,
    preferredLanguage: text,
    proxyAddresses: { ...strings, readOnly: true },
    renewedDateTime: readOnlyDate,
    resourceBehaviorOptions: strings,
    resourceProvisioningOptions: strings,
    securityEnabled: { ...flag, notNull: true },
    securityIdentifier: readOnlyText,
    serviceProvisioningErrors: { type: 'objects', returned: 'default', readOnly: true },
    theme: text,
    uniqueName: text,
    visibility: text,
    writebackConfiguration: { type: 'object', returned: 'default', absent: neverWrittenBack },
    assignedLabels: { type: 'objects', returned: 'select' },
    assignedLicenses: { type: 'objects', returned: 'select', readOnly: true },
    /** When the licences changed last; see licenceState. */
    licensesChangedAt: { type: 'dateTime', returned: 'never', readOnly: true },
    hasMembersWithLicenseErrors: { type: 'boolean', returned: 'never', readOnly: true },
    infoCatalogs: { type: 'strings', returned: 'select', readOnly: true },
    isManagementRestricted: { type: 'boolean', returned: 'select', readOnly: true },
    licenseProcessingState: { type: 'string', returned: 'select', readOnly: true },
    organizationId: { type: 'guid', returned: 'select', readOnly: true },
    onPremisesExtensionAttributes: { type: 'object', returned: 'select', readOnly: true },
    welcomeMessageEnabled: { type: 'boolean', returned: 'select' },
    accessType: { type: 'string', returned: 'single', absent: 'none' },
    allowExternalSenders: outside(false),
    autoSubscribeNewMembers: outside(false),
    cloudLicensing: { type: 'any', returned: 'single' },
    hideFromAddressLists: outside(false),
    hideFromOutlookClients: outside(false),
    isArchived: outside(null),
    isFavorite: outside(false),
    isSubscribedByMail: outside(true),
    membershipRuleProcessingStatus: { type: 'any', returned: 'single' },
    unseenConversationsCount: outsideCount,
    unseenCount: outsideCount,
    unseenMessagesCount: outsideCount,
  },
  navigations: {
    members: { relations: ['members'], direction: 'out', mayFollow: seesMembers },
    owners: { relations: ['owners'], direction: 'out' },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    acceptedSenders: { relations: ['acceptedSenders'], direction: 'out' },
    rejectedSenders: { relations: ['rejectedSenders'], direction: 'out' },
    createdOnBehalfOf: { relations: ['createdOnBehalfOf'], direction: 'out', single: true },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
  },
  computed: (body, _id, now) => ({ accessType: accessTypeOf(body), ...licenceState(body, now) }),
};

/** What a unified group's visibility means for its mailbox, unless the mailbox says otherwise. */
function accessTypeOf(body: Body): unknown {
  if (typeof body['accessType'] === 'string') return body['accessType'];
  if (!isUnified(body)) return 'none';
  const visibility = String(body['visibility'] ?? 'Public').toLowerCase();
  return { public: 'public', private: 'private', hiddenmembership: 'secret' }[visibility] ?? 'none';
}
