import { parentPort, workerData } from 'node:worker_threads';
import type { Finding } from '../../core/findings/finding.js';
import { referencesOf } from '../engine/references.js';
import type { Rule } from '../engine/rule.js';
import { runRules } from '../engine/run-rules.js';
import type { Declaration } from '../engine/stack-index.js';
import { StackIndex } from '../engine/stack-index.js';
import { loadRules } from './load-rules.js';
import type { PackAnswer, PackInput, PackStart } from './messages.js';

/** Serves the rules of one pack: apart from the check, so that nothing they do can stop it. */
async function serve(): Promise<void> {
  const answer = (message: PackAnswer): void => parentPort?.postMessage(message);
  try {
    const rules = await loadRules(workerData as PackStart);
    answer({ rules: rules.map(({ check: _check, ...description }) => JSON.parse(JSON.stringify(description)) as Omit<Rule, 'check'>) });
    parentPort?.on('message', (input: PackInput) => answer(judge(rules, input)));
  } catch (error) {
    answer({ failure: error instanceof Error ? error.message : String(error) });
  }
}

function judge(rules: readonly Rule[], input: PackInput): PackAnswer {
  const declarations = input.declarations.map((each) => ({ ...each, origin: {} }) as Declaration);
  const index = new StackIndex(input.settings, declarations, referencesOf, () => undefined);
  const findings: Finding[] = [];
  const failures: string[] = [];
  for (const rule of rules) {
    try {
      findings.push(...runRules(index, [rule], { scope: 'stack', now: new Date(input.now), ruleOptions: input.ruleOptions }));
    } catch (error) {
      failures.push(`the rule ${rule.id} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { findings, failures };
}

void serve();
