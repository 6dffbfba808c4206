/**
 * The import direction of ARCHITECTURE.md, layer by layer: what a folder may import besides itself
 * and packages.
 */
const mayImport = {
  core: [],
  kinds: ['core'],
  policies: ['core', 'kinds'],
  clients: ['core'],
  constructs: ['core', 'kinds', 'policies'],
  services: ['core', 'kinds'],
  provider: ['core', 'kinds', 'clients'],
  access: ['core', 'kinds', 'policies', 'clients', 'services'],
  stacks: ['core', 'kinds', 'policies', 'constructs'],
  testing: ['constructs', 'sandbox'],
  sandbox: ['core', 'kinds', 'policies', 'clients', 'services', 'provider', 'access'],
  cli: [
    'core',
    'kinds',
    'policies',
    'clients',
    'constructs',
    'services',
    'provider',
    'stacks',
    'sandbox',
    'access',
  ],
};
const layers = Object.keys(mayImport);

/**
 * The folders of policies/ from the ground up: each may import those before it. What lies beside
 * them (index.ts) may import all.
 */
const policyFolders = [
  'model',
  'engine',
  'rules',
  'packs',
  'sources',
  'reporters',
  'check',
  'testing',
];

module.exports = {
  forbidden: [
    ...layers.map((layer) => ({
      name: `${layer}-imports-one-way`,
      severity: 'error',
      from: { path: `^${layer}/` },
      to: {
        path: `^(${layers.filter((other) => other !== layer && !mayImport[layer].includes(other)).join('|') || '(?!)'})/`,
      },
    })),
    ...policyFolders.map((folder, index) => ({
      name: `policies-${folder}-imports-one-way`,
      severity: 'error',
      from: { path: `^policies/${folder}/` },
      to: { path: `^policies/((${policyFolders.slice(index + 1).join('|') || '(?!)'})/|[^/]+$)` },
    })),
    // imports of types count as any other
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-two-files-import-cdktf',
      severity: 'error',
      from: { pathNot: '^constructs/internal/cdktf(-internals)?\\.ts$|^test/|node_modules' },
      to: { path: '^node_modules/cdktf/' },
    },
    {
      name: 'check-never-loads-cdktf',
      severity: 'error',
      from: { path: '^cli/commands/(check|lsp|schema|rules|explain)' },
      to: { path: 'node_modules/(cdktf|@cdktf)/', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // the package `constructs` would be taken for our folder of that name, whose index only
    // re-exports
    exclude: { path: '^constructs/index\\.ts$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
