import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Rule } from '../engine/rule.js';
import type { StackIndex } from '../engine/stack-index.js';
import type { PackConfig } from '../schemas/policy.js';
import type { Section } from '../schemas/stack.js';
import { sections } from '../schemas/stack.js';

/** What a Rego policy says of one mistake. */
interface RegoResult {
  readonly msg: string;
  readonly section?: string;
  readonly name?: string;
  readonly path?: readonly (string | number)[];
}

/**
 * A rule that asks a Rego policy compiled to WebAssembly (`opa build -t wasm -e castellan/deny`). Its input is
 * `{ stack, declarations: [{ section, name, value }] }`; each result is a text, or `{ msg, section, name, path }`.
 */
export async function regoRule(file: string, pack: PackConfig): Promise<Rule> {
  const { loadPolicy } = await import('@open-policy-agent/opa-wasm');
  const policy = await loadPolicy(readFileSync(file));
  const results = new WeakMap<StackIndex, readonly RegoResult[]>();
  const all = Object.keys(sections) as Section[];
  const ask = (index: StackIndex): readonly RegoResult[] => {
    const known = results.get(index);
    if (known !== undefined) return known;
    const declarations = all.flatMap((section) => index.all(section).map(({ name, value }) => ({ section, name, value })));
    const answer = policy.evaluate({ stack: index.settings, declarations }) as readonly { readonly result: unknown }[];
    const found = answer.flatMap(({ result }) => resultsOf(result));
    results.set(index, found);
    return found;
  };
  return {
    id: basename(file, '.wasm'),
    title: `The Rego policy ${basename(file)} denies nothing.`,
    why: 'A policy of your own demands it.',
    severity: pack.severity ?? 'error',
    source: basename(file),
    sections: all,
    scope: 'stack',
    messages: { denied: '{message}' },
    check({ section, name }, { index, report }) {
      const first = all.flatMap((each) => index.all(each))[0];
      const isFirst = first?.section === section && first.name === name;
      for (const result of ask(index)) {
        const isOwn = result.section === section && result.name === name;
        if (!isOwn && !(isFirst && result.name === undefined)) continue;
        report({ messageId: 'denied', path: isOwn ? (result.path ?? []) : [], parameters: { given: result.msg, message: result.msg } });
      }
    },
  };
}

function resultsOf(result: unknown): readonly RegoResult[] {
  if (typeof result === 'string') return [{ msg: result }];
  if (Array.isArray(result)) return result.flatMap(resultsOf);
  if (result !== null && typeof result === 'object' && typeof (result as { msg?: unknown }).msg === 'string') return [result as RegoResult];
  return [];
}
