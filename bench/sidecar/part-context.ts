import type { TestIdentityProvider } from '../../test/services/auth-sidecar/support/identity-provider.js';
import type { Testbed, Peer } from './testbed.js';
import { cpuMicroseconds } from './processes.js';
import { runWrk } from './wrk.js';

/** How long the first round takes, which only warms up. */
export const warmUpSeconds = 4;

/** What a part of the benchmark measures with. */
export interface PartContext {
  readonly testbed: Testbed;
  readonly idp: TestIdentityProvider;
  /** How long a peer is loaded in a round. */
  readonly seconds: number;
  /** How often each peer is measured. */
  readonly rounds: number;
  /** Stops the peer after the part; returns it. */
  stopAtEnd(peer: Peer): Peer;
  print(line: string): void;
}

/** What one round measured of a peer. */
export interface Sample {
  /** How many requests were answered in a second. */
  readonly perSecond: number;
  /** Processor time of a request, in microseconds. */
  readonly cpu: number;
}

/**
 * Loads the peers in turn, round after round, each with its own session.
 *
 * @returns the samples of each peer
 */
export async function measureInTurn(
  context: PartContext,
  path: string,
  peers: readonly { readonly peer: Peer; cookie(): string | Promise<string> }[],
): Promise<Sample[][]> {
  const samples: Sample[][] = peers.map(() => []);
  for (let round = 0; round <= context.rounds; round++) {
    for (const [index, { peer, cookie }] of peers.entries()) {
      const session = await cookie();
      const before = cpuMicroseconds(peer);
      const { requests, perSecond } = await runWrk(
        `${peer.url}${path}`,
        session,
        round === 0 ? warmUpSeconds : context.seconds,
      );
      // The first round warms up code and connections and does not count.
      if (round > 0)
        samples[index]?.push({ perSecond, cpu: (cpuMicroseconds(peer) - before) / requests });
    }
  }
  peers.forEach(({ peer }, index) => {
    const peerSamples = samples[index] ?? [];
    const [rate, cpu] = [
      median(peerSamples.map(({ perSecond }) => perSecond)),
      median(peerSamples.map((each) => each.cpu)),
    ];
    context.print(
      `${peer.name.padEnd(44)} ${rate.toFixed(0).padStart(7)} req/s  ${cpu.toFixed(1).padStart(7)} µs CPU/request`,
    );
  });
  return samples;
}

/**
 * Prints the median of the ratios of each round: disturbances of the machine affect the peers of a
 * round alike.
 *
 * @param goal the ratio that the samples should reach
 */
export function printRatio(
  context: PartContext,
  label: string,
  samples: readonly Sample[] = [],
  otherSamples: readonly Sample[] = [],
  goal?: string,
): void {
  const medianRatio = (ratioOf: (sample: Sample, other: Sample) => number): string =>
    median(samples.map((sample, index) => ratioOf(sample, otherSamples[index] as Sample))).toFixed(
      2,
    );
  const [rate, cpu] = [
    medianRatio((sample, other) => sample.perSecond / other.perSecond),
    medianRatio((sample, other) => other.cpu / sample.cpu),
  ];
  context.print(
    `${label.padEnd(52)} ${rate} by requests, ${cpu} by CPU${goal === undefined ? '' : ` (goal ${goal})`}`,
  );
}

/** The middle value; of an even number the lower one. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
}
