// Builds dist/ from the sources of castellan, after its own build: npm run build at the root.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../scripts/bundle-package.mjs';

/**
 * The functions of the Rego kit are in a file that its package.json does not export, so its path is
 * given to the bundler.
 */
const builtinsOfRego = {
  name: 'builtins-of-rego',
  transform: {
    filter: { id: /rego-policy\.ts$/ },
    handler: (source, path) => {
      const code = source.replace(
        /const kit = createRequire[^}]*/,
        `return require(${JSON.stringify(regoBuiltins())});\n`,
      );
      if (code === source)
        throw new Error(`${path} finds the functions of the kit in another way than this expects`);
      return code;
    },
  },
};

function regoBuiltins() {
  const kit = dirname(fileURLToPath(import.meta.resolve('@open-policy-agent/opa-wasm')));
  return join(kit, 'builtins/index.js');
}

await buildPackage(import.meta.dirname, {
  programs: { bin: 'cli/packages/check-bin.ts', 'pack-main': 'policies/pack-main.ts' },
  plugins: [builtinsOfRego],
  data: {
    'docs/rules': 'docs/rules', // for `castellan explain`
    'cli/templates': 'cli/templates', // for `castellan init`
    'node_modules/@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm':
      'policies/sources/hcl/tree-sitter-terraform.wasm', // for `check --source`
    'node_modules/web-tree-sitter/web-tree-sitter.wasm':
      'policies/sources/hcl/web-tree-sitter.wasm',
  },
});
