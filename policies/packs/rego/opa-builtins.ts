import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The functions that opa-wasm provides to every policy. Its package.json does not export their file:
 * in castellan-check the bundler gives it (`packages/castellan-check/build.mjs`).
 */
export function opaBuiltins(): Record<string, unknown> {
  const require = createRequire(__filename);
  const folder = dirname(require.resolve('@open-policy-agent/opa-wasm'));
  return require(join(folder, 'builtins/index.js')) as Record<string, unknown>;
}
