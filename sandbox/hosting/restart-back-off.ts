const pausesMs = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

/** The pause before a restart, in milliseconds: longer with each attempt. */
export function backOffMs(attempt: number): number {
  return pausesMs[Math.min(attempt, pausesMs.length - 1)] as number;
}

/** After a run of this length, in milliseconds, the next restart counts as the first attempt. */
export const stableAfterMs = 60_000;
