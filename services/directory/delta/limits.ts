/** How much one page of a delta holds. */
export const deltaLimits = { objects: 100, references: 1_000 } as const;
