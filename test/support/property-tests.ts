import fc from 'fast-check';

/**
 * The seed of a normal run: property tests must not fail by chance on a machine that builds
 * someone's change.
 */
const usualSeed = 20_261;
/** A property that takes longer has got stuck, or is too slow for a slow machine. */
const timeLimitMs = 100_000;

/**
 * The factor for the number of runs: `CASTELLAN_PROPERTY_RUNS=10` tries ten times as many values.
 */
const runFactor = Number(process.env['CASTELLAN_PROPERTY_RUNS'] ?? 1);

/** The number of runs of a property: `usual`, multiplied by `CASTELLAN_PROPERTY_RUNS`. */
export function runs(usual: number): number {
  return Math.ceil(usual * runFactor);
}

/**
 * Every property test draws the same values on every machine, and reports when it runs out of time,
 * before vitest's own time limit. `CASTELLAN_PROPERTY_SEED=<number>` draws other values.
 */
fc.configureGlobal({
  seed: Number(process.env['CASTELLAN_PROPERTY_SEED'] ?? usualSeed),
  numRuns: runs(100),
  interruptAfterTimeLimit: timeLimitMs * Math.max(1, runFactor),
  markInterruptAsFailure: true,
});
