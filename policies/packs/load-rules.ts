import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { runInThisContext } from 'node:vm';
import type * as TypeScriptModule from 'typescript';
import type { Finding } from '../../core/findings/finding.js';
import type { Rule } from '../engine/rule.js';
import { guardedRule } from './guard-rule.js';
import type { PackInput, PackStart } from './messages.js';

/** The rules of a pack. */
export interface OwnRules {
  readonly rules: readonly Rule[];
  /** Judges a whole stack at once, in place of the rules' own checks. */
  readonly judgeStack?: (input: PackInput) => readonly Finding[];
}

/** The name by which rules import this package, wherever they are. */
const ownName = /^castellan\/policies$/;

/** Reads the rules of a pack's file: what it is follows from its extension. */
export async function loadRules(start: PackStart): Promise<OwnRules> {
  const { pack, file } = start;
  if (file.endsWith('.json')) return { rules: [(await import('./schema-rule.js')).schemaRule(file, pack)] };
  if (/\.(wasm|tar\.gz)$/.test(file)) return (await import('./rego/rego-rule.js')).regoRule(start);
  const exported = loadModule(file, await import('../index.js'));
  const rules = Object.values(exported)
    .flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isRule);
  // A rule that is exported by its name and in a list is one rule.
  const distinct = [...new Set(rules)];
  if (distinct.length === 0) throw new Error(`${file} exports no rule; export what defineRule returns`);
  return { rules: distinct.map(guardedRule) };
}

function isRule(value: unknown): value is Rule {
  if (value === null || typeof value !== 'object') return false;
  const { id, title, messages, sections } = value as Partial<Rule>;
  return typeof id === 'string' && typeof title === 'string' && typeof messages === 'object' && Array.isArray(sections);
}

const loaded = new Map<string, { exports: Record<string, unknown> }>();

/** Loads a module of a pack, TypeScript transpiled, with `castellan/policies` being this very package. */
function loadModule(file: string, own: unknown): Record<string, unknown> {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} as Record<string, unknown> };
  loaded.set(file, module);
  const native = createRequire(file);
  const requireFrom = (name: string): unknown => {
    if (ownName.test(name)) return own;
    if (name.startsWith('.')) return loadModule(resolveFile(native, name), own);
    return native(isBuiltin(name) ? name : native.resolve(name));
  };
  const source = transpiled(file, readFileSync(file, 'utf8'), native);
  const wrapped = runInThisContext(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, { filename: file }) as (
    ...args: unknown[]
  ) => void;
  wrapped(module.exports, requireFrom, module, file, dirname(file));
  return module.exports;
}

function resolveFile(native: NodeJS.Require, name: string): string {
  for (const candidate of [name, `${name}.ts`, name.replace(/\.js$/, '.ts')]) {
    try {
      return native.resolve(candidate);
    } catch {
      continue; // the next spelling is tried; the last attempt below says what is missing
    }
  }
  return native.resolve(name);
}

/** TypeScript and ES module syntax as CommonJS, by the TypeScript that the rules' own project has. */
function transpiled(file: string, source: string, native: NodeJS.Require): string {
  if (!/\.[mc]?ts$/.test(file) && !/^\s*(import|export)\b/m.test(source)) return source;
  const { transpileModule, ModuleKind, ScriptTarget } = typescript(native);
  return transpileModule(source, {
    fileName: file,
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true },
  }).outputText;
}

type TypeScript = Pick<typeof TypeScriptModule, 'transpileModule' | 'ModuleKind' | 'ScriptTarget'>;

function typescript(native: NodeJS.Require): TypeScript {
  for (const from of [native, createRequire(isAbsolute(__filename) ? __filename : join(process.cwd(), 'package.json'))]) {
    try {
      return from('typescript') as TypeScript;
    } catch {
      continue; // it may be installed beside the other one
    }
  }
  throw new Error('rules in TypeScript need the package typescript: npm install --save-dev typescript');
}
