/** The capacity that every sandbox has: what workspaces run on that name none, so that eventhouses can be made in them. */
export const sandboxCapacity = { id: 'c0ffee00-0000-4000-8000-000000000001', displayName: 'Sandbox capacity' } as const;
