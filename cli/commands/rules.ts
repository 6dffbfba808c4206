import { exitCodes } from '../../core/findings/exit-code.js';
import { diskFiles } from '../../core/source/file-access.js';
import { styled, type TerminalOutput, terminalOutputOf } from '../../core/text/terminal.js';
import { startPacks } from '../../policies/check/run-check.js';
import type { Rule } from '../../policies/engine/rule.js';
import { applyPolicy } from '../../policies/check/policy/applied-policy.js';
import { loadPolicy } from '../../policies/check/policy/load-policy.js';
import { rules as catalogue } from '../../policies/rules/index.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';

interface ListedRule extends Pick<Rule, 'id' | 'title' | 'why' | 'source' | 'sections'> {
  /** Its severity by the policy. */
  readonly severity: Rule['severity'] | 'off';
}

/**
 * `castellan rules list`: lists every rule, including custom ones, with its severity by the policy
 * and its requirement.
 */
export const register: RegisterCommand = (program, io, done) => {
  const list = program
    .command('rules')
    .description('The rules: those of the catalogue, and those of the packs that the policy names.')
    .command('list')
    .description('List the rules, as the policy sets them.');
  addFormat(list)
    .option('--policy <file>', 'the policy')
    .action(async ({ policy, ...flags }: FormatFlags & { readonly policy?: string }) => {
      const format = formatOf(flags);
      const rules = await listRules(io, policy);
      printResult(format, { rules }, rulesText(rules, terminalOutputOf(io.stdout, io.env)), io);
      done(exitCodes.clean);
    });
};

function rulesText(rules: readonly ListedRule[], screen: TerminalOutput): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  const severityCell = (severity: ListedRule['severity']): string =>
    styled(severity.padEnd(7), severity === 'off' ? 'dim' : severity, screen);
  return rules
    .map(({ id, title, severity }) => `${id.padEnd(width)}  ${severityCell(severity)}  ${title}\n`)
    .join('');
}

async function listRules({ cwd }: CliIo, file: string | undefined): Promise<readonly ListedRule[]> {
  const policy = loadPolicy({
    cwd,
    files: diskFiles,
    sources: new Map(),
    file,
    configFiles: [],
  });
  const packs = await startPacks(policy, cwd);
  await Promise.all(packs.map((pack) => pack.close()));
  const rules = [...catalogue, ...packs.flatMap((pack) => pack.rules)];
  const appliedPolicy = applyPolicy(policy.config, rules, {
    stack: undefined,
    environment: undefined,
  });
  return rules.map(({ id, title, why, severity, source, sections }) => ({
    id,
    title,
    why,
    severity: appliedPolicy.severityOf(id) ?? severity,
    source,
    sections,
  }));
}
