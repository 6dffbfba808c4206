/**
 * The capacity of every sandbox, used by workspaces that name none, so that eventhouses can be
 * created in them.
 */
export const sandboxCapacity = {
  id: 'c0ffee00-0000-4000-8000-000000000001',
  displayName: 'Sandbox capacity',
} as const;
