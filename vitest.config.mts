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

/** What only explores: `npm run test:long` asks for it by a number of moments. */
const exploring =
  process.env['CASTELLAN_INTERRUPTS'] === undefined ? ['test/cli/interrupted-anywhere/**'] : [];

/** How the files of a project run. */
interface Running {
  /** Whether each file has modules of its own. */
  readonly isolate: boolean;
  /** How long a test may take, in milliseconds. */
  readonly timeout: number;
}

/** One of the projects: files by the end of their names. */
const project = (name: string, ending: string, { isolate, timeout }: Running) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/**/*${ending}`],
    exclude: ['**/node_modules/**', ...exploring, ...(isolate ? [] : ['**/*.isolated.test.ts'])],
    isolate,
    testTimeout: timeout * longer,
    hookTimeout: timeout * longer,
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
    projects: [
      project('unit', '.test.ts', { isolate: false, timeout: 120_000 }),
      project('unit, isolated', '.isolated.test.ts', { isolate: true, timeout: 120_000 }),
      project('e2e', '.e2e.ts', { isolate: false, timeout: 300_000 }),
    ],
  },
});
