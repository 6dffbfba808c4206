const pauses = [1_000, 2_000, 5_000, 15_000, 30_000] as const;

/** How long to wait before something that ended is started again, in milliseconds: longer each time. */
export function backOff(attempt: number): number {
  return pauses[Math.min(attempt, pauses.length - 1)] as number;
}

/** What ran for so long, in milliseconds, was fine: its next end counts as the first. */
export const steadyAfter = 60_000;
