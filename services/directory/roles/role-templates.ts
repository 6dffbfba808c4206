import { type DirectoryRole, roleTemplateIds } from '../authorization/directory-roles.js';

/** A built-in role that can be activated. */
export interface RoleTemplate {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
}

const templateTexts: Readonly<Record<DirectoryRole, readonly [string, string]>> = {
  globalAdministrator: [
    'Global Administrator',
    'Can manage all aspects of the directory and of services that use its identities.',
  ],
  globalReader: [
    'Global Reader',
    'Can read everything that a Global Administrator can, but not update anything.',
  ],
  groupsAdministrator: [
    'Groups Administrator',
    'Can manage all aspects of groups and group settings, such as naming and expiration policies.',
  ],
  userAdministrator: [
    'User Administrator',
    'Can manage all aspects of users and groups, including resetting passwords of limited administrators.',
  ],
  directoryWriters: ['Directory Writers', 'Can read and write basic directory information.'],
  directoryReaders: ['Directory Readers', 'Can read basic directory information.'],
  exchangeAdministrator: ['Exchange Administrator', 'Can manage all aspects of mail.'],
  sharePointAdministrator: ['SharePoint Administrator', 'Can manage all aspects of sites.'],
  privilegedRoleAdministrator: [
    'Privileged Role Administrator',
    'Can manage role assignments and all aspects of privileged access.',
  ],
  authenticationAdministrator: [
    'Authentication Administrator',
    'Can view, set and reset authentication methods of users who are no administrators.',
  ],
  privilegedAuthenticationAdministrator: [
    'Privileged Authentication Administrator',
    'Can view, set and reset authentication methods of any user.',
  ],
  applicationAdministrator: [
    'Application Administrator',
    'Can create and manage all aspects of applications.',
  ],
  cloudApplicationAdministrator: [
    'Cloud Application Administrator',
    'Can create and manage all aspects of applications, except their proxies.',
  ],
  licenseAdministrator: ['License Administrator', 'Can manage licences of users and groups.'],
  intuneAdministrator: ['Intune Administrator', 'Can manage all aspects of device management.'],
  teamsAdministrator: ['Teams Administrator', 'Can manage teams.'],
  complianceAdministrator: [
    'Compliance Administrator',
    'Can read and manage compliance configuration and reports.',
  ],
  helpdeskAdministrator: [
    'Helpdesk Administrator',
    'Can reset passwords of users who are no administrators.',
  ],
  cloudDeviceAdministrator: ['Cloud Device Administrator', 'Can manage devices in the directory.'],
  conditionalAccessAdministrator: [
    'Conditional Access Administrator',
    'Can manage conditional access.',
  ],
  securityAdministrator: [
    'Security Administrator',
    'Can read security information and manage its configuration.',
  ],
  identityGovernanceAdministrator: [
    'Identity Governance Administrator',
    'Can manage all aspects of Identity Governance.',
  ],
  userFlowAdministrator: [
    'External ID User Flow Administrator',
    'Can manage all aspects of External ID User Flow.',
  ],
  userFlowAttributeAdministrator: [
    'External ID User Flow Attribute Administrator',
    'Can manage all aspects of External ID User Flow Attribute.',
  ],
};

/** The roles that the rules of this service do not mention. */
const otherTemplates: readonly RoleTemplate[] = [
  [
    '5d6b6bb7-de71-4623-b4af-96380a352509',
    'Security Reader',
    'Can read security information and reports.',
  ],
  [
    'b0f54661-2d74-4c50-afa3-1ec803f12efe',
    'Billing Administrator',
    'Can perform common billing tasks, such as updating payment information.',
  ],
  ['4a5d8f65-41da-4de4-8968-e035b65339cf', 'Reports Reader', 'Can read sign-in and audit reports.'],
  [
    'cf1c38e5-3621-4004-a7cb-879624dced7c',
    'Application Developer',
    'Can create application registrations independently of the setting for users.',
  ],
  [
    '95e79109-95c0-4d8e-aee3-d01accf2d47b',
    'Guest Inviter',
    'Can invite guests independently of the setting for members.',
  ],
  [
    '966707d0-3269-4727-9be2-8c3a10f19b9d',
    'Password Administrator',
    'Can reset passwords of users who are no administrators.',
  ],
].map(([id = '', displayName = '', description = '']) => ({ id, displayName, description }));

/** More roles that the cloud publishes, by template id. */
export const publishedRoles: Readonly<Record<string, string>> = {
  'db506228-d27e-4b7d-95e5-295956d6615f': 'Agent ID Administrator',
  'adb2368d-a9be-41b5-8667-d96778e081b0': 'Agent ID Developer',
  '6b942400-691f-4bf0-9d12-d8a254a2baf5': 'Agent Registry Administrator',
  'd2562ede-74db-457e-a7b6-544e236ebb61': 'AI Administrator',
  '9c6df0f2-1e7c-4dc3-b195-66dfbd24aa8f': 'Attack Payload Author',
  'c430b396-e693-46cc-96f3-db01bf8bb62a': 'Attack Simulation Administrator',
  '58a13ea3-c632-46ae-9ee0-9c0d43cd7f3d': 'Attribute Assignment Administrator',
  'ffd52fa5-98dc-465c-991d-fc073eb59f8f': 'Attribute Assignment Reader',
  '8424c6f0-a189-499e-bbd0-26c1753c96d4': 'Attribute Definition Administrator',
  '1d336d2c-4ae8-42ef-9711-b3604ce3fc2c': 'Attribute Definition Reader',
  '5b784334-f94b-471a-a387-e7219fc49ca2': 'Attribute Log Administrator',
  '9c99539d-8186-4804-835f-fd51ef9e2dcd': 'Attribute Log Reader',
  'ecb2c6bf-0ab6-418e-bd87-7986f8d63bbe': 'Attribute Provisioning Administrator',
  '422218e4-db15-4ef9-bbe0-8afb41546d79': 'Attribute Provisioning Reader',
  '25a516ed-2fa0-40ea-a2d0-12923a21473a': 'Authentication Extensibility Administrator',
  '0526716b-113d-4c15-b2c8-68e3c22b9f80': 'Authentication Policy Administrator',
  'e3973bdf-4987-49ae-837a-ba8e231c7286': 'Azure DevOps Administrator',
  '7495fdc4-34c4-4d15-a289-98788ce399fd': 'Azure Information Protection Administrator',
  'aaf43236-0c0d-4d5f-883a-6955382ac081': 'B2C IEF Keyset Administrator',
  '3edaf663-341e-4475-9f94-5c398ef6c070': 'B2C IEF Policy Administrator',
  '892c5842-a9a6-463a-8041-72aa08ca3cf6': 'Cloud App Security Administrator',
  'e6d1a23a-da11-4be4-9570-befc86d067a7': 'Compliance Data Administrator',
  '5c4f9dcd-47dc-4cf7-8c9a-9e4207cbfc91': 'Customer LockBox Access Approver',
  '38a96431-2bdf-4b4c-8b6e-5d3d8abac1a4': 'Desktop Analytics Administrator',
  '9c094953-4995-41c8-84c8-3ebb9b32c93f': 'Device Join',
  '2b499bcd-da44-4968-8aec-78e1674fa64d': 'Device Managers',
  'd405c6df-0af8-4e3b-95e4-4d06e542189e': 'Device Users',
  'd29b2b05-8046-44ba-8758-1e26182fcf32': 'Directory Synchronization Accounts',
  '8329153b-31d0-4727-b945-745eb3bc5f31': 'Domain Name Administrator',
  'e93e3737-fa85-474a-aee4-7d3fb86510f3': 'Dragon Administrator',
  '44367163-eba1-44c3-98af-f5787879f96a': 'Dynamics 365 Administrator',
  '963797fb-eb3b-4cde-8ce3-5878b3f32a3f': 'Dynamics 365 Business Central Administrator',
  '3f1acade-1e04-4fbc-9b69-f0302cd84aef': 'Edge Administrator',
  '49eb8f75-97e9-4e37-9b2b-6c3ebfcffa31': 'Exchange Backup Administrator',
  '31392ffb-586c-42d1-9346-e59415a2cc4e': 'Exchange Recipient Administrator',
  'dd13091a-6207-4fc0-82ba-3641e056ab95': 'Extended Directory User Administrator',
  'be2f45a1-457d-42af-a067-6ec1fa63bc45': 'External Identity Provider Administrator',
  'a9ea8996-122f-4c74-9520-8edcd192826c': 'Fabric Administrator',
  'ac434307-12b9-4fa1-a708-88bf58caabc1': 'Global Secure Access Administrator',
  '843318fb-79a6-4168-9e6f-aa9a07481cc4': 'Global Secure Access Log Reader',
  '10dae51f-b6af-4016-8d66-8efa99c23500': 'Guest User',
  '8ac3fc64-6eca-42ea-9e69-59f4c7b60eb2': 'Hybrid Identity Administrator',
  'eb1f4a8d-243a-41f0-9fbd-c7cdf6c5ef7c': 'Insights Administrator',
  '25df335f-86eb-4119-b717-0ff02de207e9': 'Insights Analyst',
  '31e939ad-9672-4796-9c2e-873181342d2d': 'Insights Business Leader',
  '2ea5ce4c-b2d8-4668-bd81-3680bd2d227a': 'IoT Device Administrator',
  '74ef975b-6605-40af-a5d2-b9539d836353': 'Kaizala Administrator',
  'b5a8dcf3-09d5-43a9-a639-8e29ef291470': 'Knowledge Administrator',
  '744ec460-397e-42ad-a462-8b3f9747a02c': 'Knowledge Manager',
  '59d46f88-662b-457b-bceb-5c3809e5908f': 'Lifecycle Workflows Administrator',
  'ac16e43d-7b2d-40e0-ac05-243ff356ab5b': 'Message Center Privacy Reader',
  '790c1fb9-7f7d-4f88-86a1-ef1f95c05c1b': 'Message Center Reader',
  '1707125e-0aa2-4d4d-8655-a7c786c76a25': 'Microsoft 365 Backup Administrator',
  '8c8b803f-96e1-4129-9349-20738d9f9652': 'Microsoft 365 Migration Administrator',
  '00cf5c54-4693-4f59-a0ac-ab79ef0a974d': 'Microsoft 365 Support Engineer',
  '9f06204d-73c1-4d4c-880a-6edb90606fd8': 'Microsoft Entra Joined Device Local Administrator',
  'ee67aa9c-e510-4759-b906-227085a7fd4d': 'Microsoft Graph Data Connect Administrator',
  '1501b917-7653-4ff9-a4b5-203eaf33784f': 'Microsoft Hardware Warranty Administrator',
  '281fe777-fb20-4fbb-b7a3-ccebce5b0d96': 'Microsoft Hardware Warranty Specialist',
  'd37c8bed-0711-4417-ba38-b4abe66ce4c2': 'Network Administrator',
  '2b745bdf-0803-4d80-aa65-822c4493daac': 'Office Apps Administrator',
  '92ed04bf-c94a-4b82-9729-b799a7a4c178': 'Organizational Branding Administrator',
  '9d70768a-0cbc-4b4c-aea3-2e124b2477f4': 'Organizational Data Source Administrator',
  'e48398e2-f4bb-4074-8f31-4586725e205b': 'Organizational Messages Approver',
  '507f53e4-4e52-4077-abd3-d2e1558b6ea2': 'Organizational Messages Writer',
  '4ba39ca4-527c-499a-b93d-d9b492c50246': 'Partner Tier1 Support',
  'e00e864a-17c5-4a4b-9c06-f5b95a8d5bd8': 'Partner Tier2 Support',
  '024906de-61e5-49c8-8572-40335f1e0e10': 'People Administrator',
  'af78dc32-cf4d-46f9-ba4e-4428526346b5': 'Permissions Management Administrator',
  '78b0ccd1-afc2-4f92-9116-b41aedd09592': 'Places Administrator',
  '11648597-926c-4cf3-9c36-bcebb0ba8dcc': 'Power Platform Administrator',
  '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f': 'Printer Administrator',
  'e8cef6f1-e4bd-4ea8-bc07-4b8d950f4477': 'Printer Technician',
  '2af84b1e-32c8-42b7-82bc-daa82404023b': 'Restricted Guest User',
  '0964bb5e-9bdb-4d7b-ac29-58e794862a40': 'Search Administrator',
  '8835291a-918c-4fd7-a9ce-faa49f0cf7d9': 'Search Editor',
  '5f2222b1-57c3-48ba-8ad5-d4759f1fde6f': 'Security Operator',
  'f023fd81-a637-4b56-95fd-791ac0226033': 'Service Support Administrator',
  '99009c4a-3b3f-4957-82a9-9d35e12db77e': 'SharePoint Advanced Management Administrator',
  '9d3e04ba-3ee4-4d1b-a3a7-9aef423a09be': 'SharePoint Backup Administrator',
  '1a7d78b6-429f-476b-b8eb-35fb715fffd4': 'SharePoint Embedded Administrator',
  '75941009-915a-4869-abe7-691bff18279e': 'Skype for Business Administrator',
  'baf37b3a-610e-45da-9e62-d9d1e5e8914b': 'Teams Communications Administrator',
  'f70938a0-fc10-4177-9e90-2178f8765737': 'Teams Communications Support Engineer',
  'fcf91098-03e3-41a9-b5ba-6f0ec8188a12': 'Teams Communications Support Specialist',
  '3d762c5a-1b6c-493f-843e-55a3b42923d4': 'Teams Devices Administrator',
  '1076ac91-f3d9-41a7-a339-dcdf5f480acc': 'Teams Reader',
  'aa38014f-0993-46e9-9b45-30501a20909d': 'Teams Telephony Administrator',
  '112ca1a2-15ad-4102-995e-45b0bc479a6a': 'Tenant Creator',
  '75934031-6c7e-415a-99d7-48dbd49e875e': 'Usage Summary Reports Reader',
  'a0b1b346-4d3e-4e8b-98f8-753987be4970': 'User',
  '27460883-1df1-4691-b032-3b79643e5e63': 'User Experience Success Manager',
  'e300d9e7-4a2b-4295-9eff-f1c78b36cc98': 'Virtual Visits Administrator',
  '0ec3f692-38d6-4d14-9e69-0377ca7797ad': 'Viva Glint Tenant Administrator',
  '92b086b3-e367-4ef2-b869-1de128fb986e': 'Viva Goals Administrator',
  '87761b17-1ed2-4af3-9acd-92a150038160': 'Viva Pulse Administrator',
  '11451d60-acb2-45eb-a7d6-43d0f0125c13': 'Windows 365 Administrator',
  '32696413-001a-46ae-978c-ce0f6b3620d2': 'Windows Update Deployment Administrator',
  'c34f683f-4d5a-4403-affd-6615e00e3a7f': 'Workplace Device Join',
  '810a2642-a034-447f-a5e8-41beaa378541': 'Yammer Administrator',
};

/** The description of a published role, derived from its name. */
export function describeRole(name: string): string {
  const subjectBefore = (word: string): string => name.slice(0, -word.length - 1);
  if (name.endsWith(' Administrator'))
    return `Can manage all aspects of ${subjectBefore('Administrator')}.`;
  if (name.endsWith(' Reader')) return `Can read ${subjectBefore('Reader')}.`;
  return `Has the rights of the role ${name}.`;
}

/** All role templates of the directory, by name. */
export const roleTemplates: readonly RoleTemplate[] = [
  ...Object.entries(templateTexts).map(([role, [displayName, description]]) => ({
    id: roleTemplateIds[role as DirectoryRole],
    displayName,
    description,
  })),
  ...otherTemplates,
  ...Object.entries(publishedRoles).map(([id, displayName]) => ({
    id,
    displayName,
    description: describeRole(displayName),
  })),
].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));

/** Finds a template by id in any letter case. */
export function findRoleTemplate(id: unknown): RoleTemplate | undefined {
  return typeof id === 'string'
    ? roleTemplates.find((template) => template.id === id.toLowerCase())
    : undefined;
}
