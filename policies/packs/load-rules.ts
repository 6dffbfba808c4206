import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { transform as Transform } from 'sucrase';
import type { Rule } from '../engine/rule.js';
import { guardRule } from './guard-rule.js';
import { parseJson } from './parse-json.js';
import type { LoadedPackRules, PackStart } from './protocol.js';
import { isPathImport, resolveFrom } from './pack-files.js';

/** The name by which rules import this package, wherever they are. */
const policiesModuleName = /^castellan\/policies$/;

/**
 * Loads the rules of a pack's file; its extension decides the format.
 *
 * @param castellanPolicies the rules' import of `castellan/policies`.
 */
export async function loadRules(
  start: PackStart,
  castellanPolicies: object,
): Promise<LoadedPackRules> {
  const { pack, file } = start;
  if (file.endsWith('.json'))
    return { rules: [(await import('./schema-rule.js')).schemaRule(file, pack)] };
  if (/\.(wasm|tar\.gz)$/.test(file)) return (await import('./rego/rego-rule.js')).regoRule(start);
  const { transform } = await import('sucrase');
  const exported = loadModule(file, { castellanPolicies, transform });
  const rules = Object.values(exported)
    .flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isRule);
  // A rule that is exported by name and also in a list counts once.
  const distinct = [...new Set(rules)];
  if (distinct.length === 0)
    throw new Error(`${file} exports no rule; export what defineRule returns`);
  return { rules: distinct.map(guardRule) };
}

function isRule(value: unknown): value is Rule {
  if (value === null || typeof value !== 'object') return false;
  const { id, title, messages, sections } = value as Partial<Rule>;
  return (
    typeof id === 'string' &&
    typeof title === 'string' &&
    typeof messages === 'object' &&
    Array.isArray(sections)
  );
}

const moduleCache = new Map<string, { exports: Record<string, unknown> }>();

/**
 * The context of a pack's modules: this package, which they import as `castellan/policies`, and the
 * transpiler.
 */
interface ModuleContext {
  readonly castellanPolicies: unknown;
  readonly transform: typeof Transform;
}

/** Loads a module of a pack, or JSON; TypeScript is transpiled. */
function loadModule(file: string, context: ModuleContext): Record<string, unknown> {
  const cached = moduleCache.get(file);
  if (cached !== undefined) return cached.exports;
  const module = { exports: {} as Record<string, unknown> };
  moduleCache.set(file, module);
  if (file.endsWith('.json')) {
    module.exports = parseJson(file, readFileSync(file, 'utf8')) as Record<string, unknown>;
    return module.exports;
  }
  const nodeRequire = createRequire(file);
  const requireFrom = (name: string): unknown => {
    if (policiesModuleName.test(name)) return context.castellanPolicies;
    if (isPathImport(name))
      return loadModule(resolveFrom(nodeRequire, name) ?? nodeRequire.resolve(name), context);
    return nodeRequire(isBuiltin(name) ? name : nodeRequire.resolve(name));
  };
  const source = transpile(file, readFileSync(file, 'utf8'), context);
  const wrapped = compileFunction(
    `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
    file,
  );
  wrapped(module.exports, requireFrom, module, file, dirname(file));
  return module.exports;
}

function compileFunction(source: string, filename: string): (...args: unknown[]) => void {
  try {
    return runInThisContext(source, { filename }) as (...args: unknown[]) => void;
  } catch (error) {
    const { message } = error as Error;
    if (/import\.meta/.test(message))
      throw new Error(`${filename} has import.meta; write __filename or __dirname`, {
        cause: error,
      });
    if (/^await is only/.test(message))
      throw new Error(`${filename} awaits while it is loaded; rules can't wait`, { cause: error });
    throw error;
  }
}

/**
 * Converts TypeScript and ES module syntax to CommonJS, line by line, independent of the TypeScript
 * version in the rules' project.
 */
function transpile(file: string, source: string, { transform }: ModuleContext): string {
  const isTypeScript = /\.[mc]?ts$/.test(file);
  if (!isTypeScript && !/^\s*(import|export)\b/m.test(source)) return source;
  const transforms = isTypeScript ? (['typescript', 'imports'] as const) : (['imports'] as const);
  return transform(source, {
    transforms: [...transforms],
    filePath: file,
    disableESTransforms: true,
    preserveDynamicImport: true,
  }).code;
}
