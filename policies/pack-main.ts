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
  type LoadedPackRules,
  type PackAnswer,
  type PackInput,
  type PackStack,
  type PackStart,
} from './packs/protocol.js';
import { loadRules } from './packs/load-rules.js';
import * as policies from './index.js';
import { failureText, restrictProcess } from './packs/process-restrictions.js';

/**
 * The program in which the rules of one pack run, so that they cannot stop the check. The first
 * message that it gets says which pack; each further one is a stack to check.
 */
function main(): void {
  endOnExcess();
  const sendAnswer = takeSend();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      sendAnswer({ failure: `the rules failed outside of their check: ${failureText(error)}` });
      process.exitCode = 1;
    });
  process.once('disconnect', () => process.exit());
  process.once('message', (start: PackStart) => {
    restrictProcess(start.pack.allow ?? []);
    loadRules(start, { __esModule: true, ...policies })
      .then((packRules) => {
        process.on('message', (input: PackInput) => sendAnswer(checkInput(packRules, input)));
        sendAnswer({
          rules: packRules.rules.map(
            ({ check: _check, checkRemoved: _removed, checkResource: _resource, ...description }) =>
              toPlainData(description),
          ),
        });
      })
      .catch((error: unknown) => sendAnswer({ failure: failureText(error) }));
  });
}

/** The function that sends an answer to the check; rules find it nowhere in the process any more. */
function takeSend(): (message: PackAnswer) => void {
  // `process.send` calls `process._send`, so that rules could send by either
  const send = (Reflect.get(process, '_send') as typeof process.send)?.bind(process);
  for (const name of ['send', '_send']) Object.defineProperty(process, name, { value: undefined });
  return (message) => void send?.(message);
}

function checkInput({ rules, checkStack }: LoadedPackRules, input: PackInput): PackAnswer {
  const findings: Finding[] = [];
  const failures: string[] = [];
  const collect = (ids: string, check: () => readonly Finding[]): void => {
    try {
      appendAll(findings, check().map(toPlainData));
    } catch (error) {
      failures.push(`the rule ${ids} failed: ${failureText(error)}`);
    }
  };
  if (checkStack !== undefined)
    collect(rules.map(({ id }) => id).join(', '), () => checkStack(input));
  else {
    const index = stackIndexOf(input);
    const base = input.base === undefined ? undefined : stackIndexOf(input.base);
    const { ruleOptions } = input;
    const now = new Date(input.now);
    for (const rule of rules)
      collect(rule.id, () => [
        ...runRules(index, [rule], { scope: 'stack', now, ruleOptions, base }),
        ...resourceFindings(rule, input),
      ]);
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

function stackIndexOf({ settings, declarations }: PackStack): StackIndex {
  const withOrigins = declarations.map((each) => ({ ...each, origin: {} }) as Declaration);
  return new StackIndex(settings, withOrigins, referencesOf, () => undefined);
}

/** What a rule made, as plain data: a message can hold no functions. */
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
