// Builds dist/ from the sources of castellan, after its own build: npm run build at the root.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../scripts/bundle-package.mjs';

/** Bundles the builtins of opa-wasm, whose file its package.json does not export. */
const opaBuiltins = {
  name: 'opa-builtins',
  load: {
    filter: { id: /\/opa-builtins\.ts$/ },
    handler: () => {
      const folder = dirname(fileURLToPath(import.meta.resolve('@open-policy-agent/opa-wasm')));
      const file = JSON.stringify(join(folder, 'builtins/index.js'));
      return `import builtins from ${file}; export const opaBuiltins = () => builtins;`;
    },
  },
};

await buildPackage(import.meta.dirname, {
  programs: { bin: 'cli/packages/check-bin.ts', 'pack-main': 'policies/pack-main.ts' },
  plugins: [opaBuiltins],
  data: {
    'docs/rules': 'docs/rules', // for `castellan explain`
    'cli/templates': 'cli/templates', // for `castellan init`
    'node_modules/@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm':
      'policies/sources/hcl/tree-sitter-terraform.wasm', // for `check --source`
    'node_modules/web-tree-sitter/web-tree-sitter.wasm':
      'policies/sources/hcl/web-tree-sitter.wasm',
  },
});
