/** Packages that are published as ES modules only: transformed for jest, loaded as they are by node. */
const esmOnly = [
  'openid-client',
  'oauth4webapi',
  'jose',
  'oidc-provider',
  'cookie',
  '@sindresorhus',
  'nanoid',
  'quick-lru',
  'eta',
  'koa',
  'jsesc',
];

/** `CASTELLAN_CDKTF=cdktn` puts the successor of cdktf in its place: npm run test:cdktn installs it. */
const cdktn =
  process.env.CASTELLAN_CDKTF === 'cdktn'
    ? {
        '^cdktf$': '<rootDir>/test/cdktn/node_modules/cdktn',
        '^cdktf/(.*)$': '<rootDir>/test/cdktn/node_modules/cdktn/$1',
        '^constructs$': '<rootDir>/test/cdktn/node_modules/constructs',
      }
    : {};

/** One jest project: `unit` and `e2e` differ in their folder and in nothing else. */
const project = (displayName, testMatch) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/property-tests.ts'],
  transform: { '^.+\\.(ts|mts|js|mjs)$': ['ts-jest', { tsconfig: 'tsconfig.jest.json', diagnostics: false }] },
  transformIgnorePatterns: [`/node_modules/(?!(?:.+/node_modules/)?(?:${esmOnly.join('|')})/)`],
  // Our sources are imported with the .js ending that node needs: the .ts file is what jest finds.
  moduleNameMapper: { ...cdktn, '^castellan/(.*)$': '<rootDir>/$1', '^(\\.{1,2}/.+)\\.js$': ['$1', '$1.js'] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '\\.castellan', 'cdktf\\.out'],
});

/** `CASTELLAN_PROPERTY_RUNS` makes property tests run longer: see test/support/property-tests.ts. */
const longer = Math.max(1, Number(process.env.CASTELLAN_PROPERTY_RUNS ?? 1));

// A loaded machine may be many times slower than a quiet one: a test that hangs is found all the same.
module.exports = {
  testTimeout: 120_000 * longer,
  globalSetup: '<rootDir>/test/support/temporary-folder.ts',
  // tests wait for processes more than they compute: every core gets a worker
  maxWorkers: '100%',
  projects: [project('unit', ['<rootDir>/test/**/*.test.ts']), project('e2e', ['<rootDir>/test/**/*.e2e.ts'])],
};
