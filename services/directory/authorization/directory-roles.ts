/**
 * Template ids of the built-in roles that the Directory rules name; tokens carry them as `wids`.
 */
export const roleTemplateIds = {
  globalAdministrator: '62e90394-69f5-4237-9190-012177145e10',
  globalReader: 'f2ef992c-3afb-46b9-b7cf-a126ee74c451',
  groupsAdministrator: 'fdd7a751-b60b-444a-984c-02652fe8fa1c',
  userAdministrator: 'fe930be7-5e62-47db-91af-98c3a49a38b1',
  directoryWriters: '9360feb5-f418-4baa-8175-e2a00bac4301',
  directoryReaders: '88d8e3e3-8f55-4a1e-953a-9b9898b8876b',
  exchangeAdministrator: '29232cdf-9323-42fd-ade2-1d097af3e4de',
  sharePointAdministrator: 'f28a1f50-f6e7-4571-818b-6a12f2af6b6c',
  privilegedRoleAdministrator: 'e8611ab8-c189-46e8-94e1-60213ab1f814',
  authenticationAdministrator: 'c4e39bd9-1100-46d3-8c65-fb160da0071f',
  privilegedAuthenticationAdministrator: '7be44c8a-adaf-4e2a-84d6-ab2649e08a13',
  applicationAdministrator: '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3',
  cloudApplicationAdministrator: '158c047a-c907-4556-b7ef-446551a6b5f7',
  licenseAdministrator: '4d6ac14f-3453-41d0-bef9-a3e0c569773a',
  intuneAdministrator: '3a2c62db-5318-420d-8d74-23affee5d9d5',
  teamsAdministrator: '69091246-20e8-4a56-aa4d-066075b2a7a8',
  complianceAdministrator: '17315797-102d-40b4-93e0-432062caca18',
  helpdeskAdministrator: '729827e3-9c14-49f7-bb1b-9608f156bbb8',
  cloudDeviceAdministrator: '7698a772-787b-4ac8-901f-60d6b08affd2',
  conditionalAccessAdministrator: 'b1be1c3e-b65d-4f19-8427-f6fa0d97feb9',
  securityAdministrator: '194ae4cb-b126-40b2-bd5b-6091b380977d',
  identityGovernanceAdministrator: '45d8d3c5-c802-45c6-b32a-1d70b5e1e86e',
  userFlowAdministrator: '6e591065-9bad-43ed-90f3-e9424366d2f0',
  userFlowAttributeAdministrator: '0f971eea-41eb-4569-a71e-57bb8a3eff1e',
} as const;

/** A role by the name that this service uses. */
export type DirectoryRole = keyof typeof roleTemplateIds;

/** The roles that may write groups (directory rules, "Authentication", 5). */
export const groupWriterRoles: readonly DirectoryRole[] = [
  'globalAdministrator',
  'groupsAdministrator',
  'userAdministrator',
  'directoryWriters',
  'exchangeAdministrator',
];

/**
 * The roles of "administrators" where the directory rules name no role ("Group properties", "Group
 * relationships"). They may name themselves owners of new groups, set labels and see hidden
 * members.
 */
export const administratorRoles: readonly DirectoryRole[] = [
  'globalAdministrator',
  'groupsAdministrator',
  'userAdministrator',
  'exchangeAdministrator',
  'privilegedRoleAdministrator',
  'sharePointAdministrator',
  'teamsAdministrator',
];
