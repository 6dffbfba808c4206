import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * `CASTELLAN_CDKTF=cdktn` puts the successor of cdktf in its place: npm run test:cdktn installs it.
 */
const cdktn = process.env['CASTELLAN_CDKTF'] === 'cdktn';
const successor = [
  { find: /^cdktf(?=\/|$)/, replacement: `${root}test/cdktn/node_modules/cdktn` },
  { find: /^constructs$/, replacement: `${root}test/cdktn/node_modules/constructs` },
];

/**
 * `CASTELLAN_PROPERTY_RUNS` makes property tests run longer: see test/support/property-tests.ts.
 */
const longer = Math.max(1, Number(process.env['CASTELLAN_PROPERTY_RUNS'] ?? 1));

/** Tests that only explore: they run where CASTELLAN_INTERRUPTS says how many moments to try. */
const exploring =
  process.env['CASTELLAN_INTERRUPTS'] === undefined ? ['test/cli/interrupted-anywhere/**'] : [];

/** Tests that start containers, which changes the network interfaces of the machine. */
const withContainers = ['test/sandbox/containers/*.e2e.ts'];

/** Tests of the packages as users install them, which need npm's registry: `npm run test:packages`. */
const ofPackages = ['test/package/**/*.e2e.ts'];

/**
 * Space for young objects, in MiB, in the processes that run tests: Node's own, which starts at 1
 * and ends at 16, makes them spend a tenth of their processor time on collecting garbage.
 */
const youngSpace = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Which files a project has, and how they run. */
interface Running {
  readonly include: readonly string[];
  /** @default none */
  readonly exclude?: readonly string[];
  /** Whether each file has modules of its own. @default false */
  readonly isolate?: boolean;
  /** Options of node. @default none */
  readonly nodeOptions?: readonly string[];
  /** How long a test may take, in milliseconds. */
  readonly timeout: number;
  /** Projects of the first group have ended before those of the second start. */
  readonly group: 1 | 2;
}

const project = (name: string, running: Running) => ({
  extends: true as const,
  test: {
    name,
    include: [...running.include],
    exclude: ['**/node_modules/**', ...exploring, ...(running.exclude ?? [])],
    isolate: running.isolate ?? false,
    execArgv: [...(running.nodeOptions ?? [])],
    testTimeout: running.timeout * longer,
    hookTimeout: running.timeout * longer,
    sequence: { groupOrder: running.group },
  },
});

// eslint-disable-next-line no-restricted-exports -- vitest reads the default export
export default defineConfig({
  resolve: {
    alias: [
      ...(cdktn ? successor : []),
      { find: /^castellan$/, replacement: `${root}constructs/index.ts` },
      { find: /^castellan\/(patterns|testing\/jest)$/, replacement: `${root}constructs/$1` },
      { find: /^castellan\/(.*)$/, replacement: `${root}$1` },
    ],
  },
  test: {
    globals: true,
    setupFiles: [
      'test/support/property-tests.ts',
      ...(cdktn ? ['test/cdktn/use-successor.ts'] : []),
    ],
    globalSetup: ['test/support/temporary-folder.ts'],
    // as long as waitUntil of test/support/wait-until.ts waits: a loaded machine is slow
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // three more than cores: end-to-end tests wait half of their time, for time-outs or for the
    // processes that they start
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongFirst },
    // a run takes the modules that haven't changed from the run before: `npx vitest --clearCache`
    // forgets them
    experimental: { fsModuleCache: true },
    // Test files of a worker share the modules they load, which takes half of the time of loading
    // them for each; a file that replaces a module (vi.mock) is called *.isolated.test.ts and has
    // its own. A loaded machine may be many times slower than a quiet one: a test that hangs is
    // found all the same.
    // Where containers start, a browser gives up its requests (net::ERR_NETWORK_CHANGED): the tests
    // with containers, of which one is a test of the packages, run after those with a browser.
    projects: [
      project('e2e', {
        include: ['test/**/*.e2e.ts'],
        exclude: [...withContainers, ...ofPackages],
        timeout: 300_000,
        group: 1,
      }),
      project('e2e, packages', { include: ofPackages, timeout: 300_000, group: 2 }),
      // the files of this project wait for each other
      project('e2e, containers', { include: withContainers, timeout: 900_000, group: 2 }),
      project('unit', {
        include: ['test/**/*.test.ts'],
        exclude: ['**/*.isolated.test.ts'],
        nodeOptions: youngSpace,
        timeout: 120_000,
        group: 2,
      }),
      project('unit, isolated', {
        include: ['test/**/*.isolated.test.ts'],
        isolate: true,
        nodeOptions: youngSpace,
        timeout: 120_000,
        group: 2,
      }),
    ],
  },
});
