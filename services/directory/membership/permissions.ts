/** The permissions to read the whole directory. */
export const directoryReadPermissions = ['Directory.Read.All', 'Directory.ReadWrite.All'];
/** The permissions to read the members of groups. */
export const membershipReadPermissions = [
  'GroupMember.Read.All',
  'GroupMember.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
];
/** The permissions to read users. */
export const userReadPermissions = ['User.Read.All', 'User.ReadWrite.All', 'User.ReadBasic.All'];
