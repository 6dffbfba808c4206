import { appendAll } from '../core/values/append.js';
import { Worker } from 'node:worker_threads';
import type { Finding } from '../core/findings/finding.js';
import { referencesOf } from './engine/references.js';
import { runResourceRule } from './engine/resource-rule.js';
import type { Rule } from './engine/rule.js';
import { runRules } from './engine/run-rules.js';
import { type Declaration, StackIndex } from './engine/stack-index.js';
import {
  memoryLimits,
  type PackRules,
  type PackAnswer,
  type PackInput,
  type PackStack,
  type PackStart,
} from './packs/protocol.js';
import { loadRules } from './packs/load-rules.js';
import * as policies from './index.js';
import { failureText, restrictProcess } from './packs/process-restrictions.js';

/** Runs the rules of one pack in a process of their own, so that they cannot stop the check. */
export function main(): void {
  endOnExcess();
  // the function behind `send`, which rules could otherwise find
  const send = (Reflect.get(process, '_send') as typeof process.send)?.bind(process);
  answer = (message) => void send?.(message);
  // rules only judge; their results are sent by this program
  for (const name of ['send', '_send']) Object.defineProperty(process, name, { value: undefined });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      answer({ failure: `the rules failed outside of their check: ${failureText(error)}` });
      process.exitCode = 1;
    });
  process.once('disconnect', () => process.exit());
  process.once('message', (start: PackStart) => {
    restrictProcess(start.pack.allow ?? []);
    loadRules(start, { __esModule: true, ...policies })
      .then((packRules) => {
        process.on('message', (input: PackInput) => answer(checkInput(packRules, input)));
        answer({
          rules: packRules.rules.map(
            ({ check: _check, checkRemoved: _removed, checkResource: _resource, ...description }) =>
              toPlainData(description),
          ),
        });
      })
      .catch((error: unknown) => answer({ failure: failureText(error) }));
  });
}

let answer: (message: PackAnswer) => void;

function checkInput({ rules, checkStack }: PackRules, input: PackInput): PackAnswer {
  const index = indexOf(input);
  const base = input.base === undefined ? undefined : indexOf(input.base);
  const findings: Finding[] = [];
  const failures: string[] = [];
  for (const rule of rules) {
    try {
      const options = {
        scope: 'stack',
        now: new Date(input.now),
        ruleOptions: input.ruleOptions,
        base,
      } as const;
      const results =
        checkStack === undefined
          ? [...runRules(index, [rule], options), ...resourceFindings(rule, input)]
          : checkStack(input);
      appendAll(findings, results.map(toPlainData));
    } catch (error) {
      failures.push(`the rule ${rule.id} failed: ${failureText(error)}`);
    }
  }
  return { findings, failures };
}

function resourceFindings(
  rule: Rule,
  { resources = [], ruleOptions, now }: PackInput,
): readonly Finding[] {
  return rule.resources === undefined
    ? []
    : runResourceRule(rule, resources, { options: ruleOptions[rule.id] ?? {}, now: new Date(now) });
}

function indexOf({ settings, declarations }: PackStack): StackIndex {
  const withOrigins = declarations.map((each) => ({ ...each, origin: {} }) as Declaration);
  return new StackIndex(settings, withOrigins, referencesOf, () => undefined);
}

/** The message to the check: plain data, whatever a rule has put into it. */
function toPlainData<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/**
 * Ends this program when it uses too much memory or the check has ended, even while a rule loops
 * forever.
 */
function endOnExcess(): void {
  const code = `const { ppid } = process;
setInterval(() => {
  if (process.ppid !== ppid || process.memoryUsage.rss() > ${String(memoryLimits.all * 1024 * 1024)}) process.kill(process.pid, 'SIGKILL');
}, 50);`;
  new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}

main();
