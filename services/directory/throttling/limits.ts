/** Resource units that an application may spend in a tenant, by the tenant's size, and how many writes. */
export const throttlingLimits = {
  seconds: 10,
  units: [
    { usersBelow: 50, units: 3_500 },
    { usersBelow: 501, units: 5_000 },
    { usersBelow: Number.POSITIVE_INFINITY, units: 8_000 },
  ],
  writes: { seconds: 150, count: 3_000 },
} as const;
