/** The import direction of ARCHITECTURE.md, layer by layer: what a folder may import besides itself and packages. */
const mayImport = {
  core: [],
  policies: ['core'],
  clients: ['core'],
  constructs: ['core', 'policies', 'clients'],
  services: ['core', 'policies', 'clients'],
  provider: ['core', 'policies', 'clients'],
  stacks: ['core', 'policies', 'clients', 'constructs', 'services', 'provider'],
  sandbox: ['core', 'policies', 'clients', 'services', 'provider'],
  cli: ['core', 'policies', 'clients', 'constructs', 'services', 'provider', 'stacks', 'sandbox'],
};
const layers = Object.keys(mayImport);

module.exports = {
  forbidden: [
    ...layers.map((layer) => ({
      name: `${layer}-imports-one-way`,
      severity: 'error',
      from: { path: `^${layer}/` },
      to: { path: `^(${layers.filter((other) => other !== layer && !mayImport[layer].includes(other)).join('|') || '(?!)'})/` },
    })),
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'cdktf-behind-one-door',
      severity: 'error',
      from: { pathNot: '^constructs/internal/cdktf\\.ts$|^test/|node_modules' },
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
    // the package `constructs` would be taken for our folder of that name, whose index only re-exports
    exclude: { path: '^constructs/index\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
