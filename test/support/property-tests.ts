import fc from 'fast-check';

/**
 * The seed of a normal run: property tests must not fail by chance on a machine that builds
 * someone's change.
 */
const usualSeed = 20_261;
/** A property that hasn't ended by then has got stuck, or is too slow for a slow machine. */
const timeLimit = 100_000;

/** How many times as many runs as usual: `CASTELLAN_PROPERTY_RUNS=10` to look further, by hand. */
const factor = Number(process.env['CASTELLAN_PROPERTY_RUNS'] ?? 1);

/** The number of runs of a property: `usual`, multiplied by `CASTELLAN_PROPERTY_RUNS`. */
export function runs(usual: number): number {
  return Math.ceil(usual * factor);
}

/**
 * Every property test draws the same values on every machine, and fails in so many words when it
 * runs out of time, before vitest gives up on it. `CASTELLAN_PROPERTY_SEED=<number>` draws others,
 * to look for what the usual seed doesn't meet.
 */
fc.configureGlobal({
  seed: Number(process.env['CASTELLAN_PROPERTY_SEED'] ?? usualSeed),
  numRuns: runs(100),
  interruptAfterTimeLimit: timeLimit * Math.max(1, factor),
  markInterruptAsFailure: true,
});
