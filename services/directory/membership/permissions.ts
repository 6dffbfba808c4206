/** The permissions to read the whole directory. */
export const directoryRead = ['Directory.Read.All', 'Directory.ReadWrite.All'];
/** The permissions to read who is in a group. */
export const groupRead = [
  'GroupMember.Read.All',
  'GroupMember.ReadWrite.All',
  'Group.Read.All',
  'Group.ReadWrite.All',
];
/** The permissions to read users. */
export const userRead = ['User.Read.All', 'User.ReadWrite.All', 'User.ReadBasic.All'];
