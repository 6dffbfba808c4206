import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** `CASTELLAN_CDKTF=cdktn` puts the successor of cdktf in its place: npm run test:cdktn installs it. */
const cdktn = process.env['CASTELLAN_CDKTF'] === 'cdktn';
const successor = [
  { find: /^cdktf(?=\/|$)/, replacement: `${root}test/cdktn/node_modules/cdktn` },
  { find: /^constructs$/, replacement: `${root}test/cdktn/node_modules/constructs` },
];

/** `CASTELLAN_PROPERTY_RUNS` makes property tests run longer: see test/support/property-tests.ts. */
const longer = Math.max(1, Number(process.env['CASTELLAN_PROPERTY_RUNS'] ?? 1));

/** One of the projects: files by the end of their names, and whether each has modules of its own. */
const project = (name: string, ending: string, isolate: boolean) => ({
  extends: true as const,
  test: { name, include: [`test/**/*${ending}`], exclude: ['**/node_modules/**', ...(isolate ? [] : ['**/*.isolated.test.ts'])], isolate },
});

// eslint-disable-next-line no-restricted-exports -- vitest reads the default export
export default defineConfig({
  resolve: { alias: [...(cdktn ? successor : []), { find: /^castellan\/(.*)$/, replacement: `${root}$1` }] },
  test: {
    globals: true,
    setupFiles: ['test/support/property-tests.ts', ...(cdktn ? ['test/cdktn/use-successor.ts'] : [])],
    globalSetup: ['test/support/temporary-folder.ts'],
    pool: 'forks',
    // tests wait for processes more than they compute: every core gets a worker
    maxWorkers: '100%',
    // A loaded machine may be many times slower than a quiet one: a test that hangs is found all the same.
    testTimeout: 120_000 * longer,
    hookTimeout: 120_000 * longer,
    // Test files of a worker share the modules they load, which takes half of the time of loading them for each; a file that replaces
    // a module (vi.mock) is called *.isolated.test.ts and has its own.
    projects: [project('unit', '.test.ts', false), project('unit, isolated', '.isolated.test.ts', true), project('e2e', '.e2e.ts', true)],
  },
});
