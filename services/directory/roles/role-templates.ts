import { describeRole, publishedRoles } from './published-roles.js';
import { type DirectoryRole, directoryRoles } from '../authorization/directory-roles.js';

/** A built-in role that can be activated. */
export interface RoleTemplate {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
}

const texts: Readonly<Record<DirectoryRole, readonly [string, string]>> = {
  globalAdministrator: ['Global Administrator', 'Can manage all aspects of the directory and of services that use its identities.'],
  globalReader: ['Global Reader', 'Can read everything that a Global Administrator can, but not update anything.'],
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
  privilegedRoleAdministrator: ['Privileged Role Administrator', 'Can manage role assignments and all aspects of privileged access.'],
  authenticationAdministrator: [
    'Authentication Administrator',
    'Can view, set and reset authentication methods of users who are no administrators.',
  ],
  privilegedAuthenticationAdministrator: [
    'Privileged Authentication Administrator',
    'Can view, set and reset authentication methods of any user.',
  ],
  applicationAdministrator: ['Application Administrator', 'Can create and manage all aspects of applications.'],
  cloudApplicationAdministrator: [
    'Cloud Application Administrator',
    'Can create and manage all aspects of applications, except their proxies.',
  ],
  licenseAdministrator: ['License Administrator', 'Can manage licences of users and groups.'],
  intuneAdministrator: ['Intune Administrator', 'Can manage all aspects of device management.'],
  teamsAdministrator: ['Teams Administrator', 'Can manage teams.'],
  complianceAdministrator: ['Compliance Administrator', 'Can read and manage compliance configuration and reports.'],
  helpdeskAdministrator: ['Helpdesk Administrator', 'Can reset passwords of users who are no administrators.'],
  cloudDeviceAdministrator: ['Cloud Device Administrator', 'Can manage devices in the directory.'],
};

/** The roles beyond those that the rules of this service name. */
const others: readonly RoleTemplate[] = [
  ['194ae4cb-b126-40b2-bd5b-6091b380977d', 'Security Administrator', 'Can read security information and manage its configuration.'],
  ['5d6b6bb7-de71-4623-b4af-96380a352509', 'Security Reader', 'Can read security information and reports.'],
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
  ['95e79109-95c0-4d8e-aee3-d01accf2d47b', 'Guest Inviter', 'Can invite guests independently of the setting for members.'],
  ['966707d0-3269-4727-9be2-8c3a10f19b9d', 'Password Administrator', 'Can reset passwords of users who are no administrators.'],
  ['b1be1c3e-b65d-4f19-8427-f6fa0d97feb9', 'Conditional Access Administrator', 'Can manage conditional access.'],
].map(([id = '', displayName = '', description = '']) => ({ id, displayName, description }));

/** Every role template of the directory, in the order of their names. */
export const roleTemplates: readonly RoleTemplate[] = [
  ...Object.entries(texts).map(([role, [displayName, description]]) => ({
    id: directoryRoles[role as DirectoryRole],
    displayName,
    description,
  })),
  ...others,
  ...Object.entries(publishedRoles).map(([id, displayName]) => ({ id, displayName, description: describeRole(displayName) })),
].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));

/** A template by id, letter case ignored. */
export function findRoleTemplate(id: unknown): RoleTemplate | undefined {
  return typeof id === 'string' ? roleTemplates.find((template) => template.id === id.toLowerCase()) : undefined;
}
