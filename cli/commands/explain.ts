import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../core/errors/catalogue.js';
import { problemTexts } from '../../core/source/problem.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { lineDiff } from '../../core/text/differences.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import {
  wrapLines,
  styled,
  styledDiff,
  type TerminalOutput,
  terminalOutputOf,
} from '../../core/text/terminal.js';
import { checkEnvironments, mergeReports } from '../../policies/check/check-environments.js';
import type { CheckReport } from '../../policies/check/check-report.js';
import { editFor, applyFileEdits } from '../../policies/check/fix-findings.js';
import {
  placeText,
  type ReportedRule,
  allSecretLocations,
} from '../../policies/reporters/report.js';
import { findingFrame } from '../../policies/reporters/text.js';
import { rules } from '../../policies/rules/index.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { renderMarkdown } from '../markdown.js';

/**
 * `castellan explain RULE | CODE | FINGERPRINT | RULE@PATH | FILE:LINE`: the rule's page, or the
 * finding's trace with the smallest passing edit.
 */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('explain')
    .description(
      'Explain a rule, or a finding: where it comes from and the smallest edit that passes.',
    )
    .argument(
      '<what>',
      "a rule's id, the code of an error, a finding's fingerprint, RULE@PATH such as group-theme@groups.shoppers, or FILE:LINE",
    )
    .argument('[paths...]', 'for a finding: files and folders (default: this folder)');
  addFormat(command).action(async (subject: string, paths: string[], flags: FormatFlags) => {
    const format = formatOf(flags);
    const print = (data: object): void => printResult('json', data, '', io);
    const rule = rules.find(({ id }) => id === subject);
    const screen = terminalOutputOf(io.stdout, io.env);
    if (rule !== undefined) {
      if (format === 'json') print({ rule: ruleData(rule) });
      else io.stdout.write(renderMarkdown(rulePage(subject), screen));
      return done(exitCodes.clean);
    }
    const code = subject.toUpperCase();
    const texts: Readonly<Record<string, { title: string; help: string }>> = {
      ...catalogue,
      ...problemTexts,
    };
    const codeOrProblem = [subject, code].find((each) => Object.hasOwn(texts, each));
    const text = codeOrProblem === undefined ? undefined : texts[codeOrProblem];
    if (codeOrProblem === undefined && /^CAS\d{4}$/.test(code)) throw unknownFinding(subject);
    if (codeOrProblem !== undefined && text !== undefined) {
      const { title, help } = text;
      if (format === 'json') print({ error: { code: codeOrProblem, title, help } });
      else io.stdout.write(renderMarkdown(`# ${codeOrProblem}\n\n${title}.\n\n${help}\n`, screen));
      return done(exitCodes.clean);
    }
    const file = /^(.+):\d+$/.exec(subject)?.[1];
    const report = mergeReports(
      await checkEnvironments({
        paths: paths.length > 0 ? paths : [file ?? '.'],
        cwd: io.cwd,
        env: io.env,
        baseline: 'none',
      }),
    );
    const allFindings = [...report.findings, ...report.suppressed];
    const findings = allFindings.filter((finding) => matchesSubject(subject, finding));
    const packRule = report.rules.get(subject);
    if (findings.length === 0 && packRule === undefined) throw unknownFinding(subject);
    if (format === 'json')
      print(
        findings.length === 0 && packRule !== undefined
          ? { rule: ruleData(packRule) }
          : { findings: findings.map((each) => findingData(each, report)) },
      );
    else if (findings.length === 0 && packRule !== undefined)
      io.stdout.write(renderMarkdown(packRulePage(packRule), screen));
    else for (const finding of findings) io.stdout.write(traceOf(finding, report, screen));
    done(exitCodes.clean);
  });
};

function ruleData({
  id,
  title,
  why,
  severity,
}: Pick<ReportedRule, 'id' | 'title' | 'why' | 'severity'>): object {
  return { id, title, why, severity };
}

/** A finding with its rule; `fix` is the smallest passing edit, where only one is right. */
function findingData(finding: Finding, report: CheckReport): object {
  const rule = report.rules.get(finding.ruleId);
  return {
    ...finding,
    suppressed: report.suppressed.includes(finding),
    ...(rule !== undefined && { rule: ruleData(rule) }),
  };
}

function matchesSubject(
  subject: string,
  { fingerprint, location, ruleId, path = [] }: Finding,
): boolean {
  const [rule, place] = subject.split('@');
  if (place !== undefined && rule === ruleId) return `${path.join('.')}.`.startsWith(`${place}.`);
  if (/^[0-9a-f]{6,16}$/.test(subject)) return fingerprint.startsWith(subject);
  return location !== undefined && subject === `${location.file}:${String(location.line)}`;
}

function unknownFinding(subject: string): CastellanError {
  const ids = [...rules.map(({ id }) => id), ...Object.keys(problemTexts)];
  const hint = didYouMean(nearest(subject, ids), '', ',');
  return new CastellanError('CAS7001', `"${subject}" is neither a rule nor a finding here${hint}`, {
    details: { given: subject },
  });
}

/** The passing example of the rule's page, for a finding that several edits could fix. */
function passingExample(id: string): readonly string[] {
  const example = /\n## Passing\n\n```yaml\n([\s\S]*?)```/.exec(rulePage(id))?.[1];
  return example === undefined
    ? []
    : [
        '',
        'which edit is right is for you to say; this passes:',
        '',
        example.trimEnd().replace(/^/gm, '  '),
      ];
}

/** The Markdown of a rule's page; its title and reason where the pages are not installed. */
function rulePage(id: string): string {
  const folders = [join(__dirname, '../../docs/rules'), join(__dirname, '../docs/rules')];
  const file = folders.map((folder) => join(folder, `${id}.md`)).find((each) => existsSync(each));
  if (file !== undefined) return readFileSync(file, 'utf8');
  const rule = rules.find((each) => each.id === id);
  return `# ${id}\n\n${rule?.title ?? ''}\n\n${rule?.why ?? ''}\n`;
}

/** The Markdown of the page of a pack's rule. */
function packRulePage({ id, title, why, severity }: ReportedRule): string {
  const reason = why === undefined ? '' : `\n## Why\n\n${why}\n`;
  return `# ${id}\n\n${title}\n\n* Severity: ${severity}\n${reason}`;
}

function traceOf(finding: Finding, report: CheckReport, screen: TerminalOutput): string {
  const { message, ruleId, fingerprint, path, verdict, severity, fix } = finding;
  const rule = report.rules.get(ruleId);
  const source =
    finding.location === undefined ? undefined : report.sources?.get(finding.location.file);
  const kind = verdict === 'unknown' ? 'unknown' : severity;
  const labelCell = (name: string): string => styled(name.padEnd(7), 'dim', screen);
  const facts = [
    `${labelCell('what')}${(path ?? []).join(' > ')}`,
    ...(finding.constructPath === undefined
      ? []
      : [`${labelCell('built')}${finding.constructPath}`]),
    ...(finding.terraformAddress === undefined
      ? []
      : [`${labelCell('plan')}${finding.terraformAddress}`]),
    ...(rule === undefined
      ? []
      : [
          `${labelCell('rule')}${rule.title}`,
          ...(rule.why === undefined ? [] : [`${labelCell('why')}${rule.why}`]),
          `${labelCell('page')}${rule.helpUri}`,
        ]),
    `${styled('finding', 'dim', screen)} ${fingerprint}${report.suppressed.includes(finding) ? ' (suppressed)' : ''}`,
  ];
  const lines = [
    wrapLines(
      `${styled(ruleId, 'bold', screen)} (${styled(kind, kind, screen)}) at ${placeText(finding)}\n  ${message}`,
      screen,
    ),
    '',
    ...(source === undefined
      ? []
      : [
          findingFrame(source, finding, allSecretLocations(report), screen).replace(/^ {4}/gm, ''),
          '',
        ]),
    ...facts.map((fact) => wrapLines(fact, screen)),
  ];
  const edit = editFor(finding, report.stacks);
  const text = source?.text ?? '';
  if (edit === undefined) lines.push(...passingExample(ruleId));
  else
    lines.push(
      '',
      `smallest passing edit: ${fix?.description ?? ''}`,
      styledDiff(lineDiff(text, applyFileEdits(text, [edit])), screen),
    );
  return `${lines.join('\n')}\n\n`;
}
