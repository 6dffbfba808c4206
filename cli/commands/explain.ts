import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { codeFrame } from '../../core/text/code-frame.js';
import { lineDiff } from '../../core/text/differences.js';
import { nearest } from '../../core/text/nearest.js';
import { type CheckReport, runCheck } from '../../policies/check/run-check.js';
import { editFor, editedText } from '../../policies/fixing/fix-findings.js';
import { placeOf } from '../../policies/reporters/report.js';
import { secretPlaces } from '../../policies/reporters/text.js';
import { rules } from '../../policies/rules/index.js';
import type { RegisterCommand } from '../command.js';

/** `castellan explain RULE | FINGERPRINT | RULE@PATH | FILE:LINE`: the rule's page, or the finding's trace with the smallest passing edit. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('explain')
    .description('Explain a rule, or a finding: where it comes from and the smallest edit that passes.')
    .argument('<what>', "a rule's id, a finding's fingerprint, RULE@PATH such as group-theme@groups.shoppers, or FILE:LINE")
    .argument('[paths...]', 'for a finding: files and folders (default: this folder)')
    .action(async (what: string, paths: string[]) => {
      const rule = rules.find(({ id }) => id === what);
      if (rule !== undefined) {
        io.stdout.write(pageOf(what));
        return done(exitCodes.clean);
      }
      const file = /^(.+):\d+$/.exec(what)?.[1];
      const report = await runCheck({
        paths: paths.length > 0 ? paths : [file ?? '.'],
        recursive: true,
        cwd: io.cwd,
        env: io.env,
        baseline: 'none',
      });
      const all = [...report.findings, ...report.suppressed];
      const found = all.filter((finding) => isSame(what, finding));
      const own = report.rules.get(what);
      if (found.length === 0 && own !== undefined)
        io.stdout.write(`# ${own.id}\n\n${own.title}\n\n* Severity: ${own.severity}\n\n## Why\n\n${own.why}\n`);
      else if (found.length === 0) throw notFound(what);
      for (const finding of found) io.stdout.write(traceOf(finding, report));
      done(exitCodes.clean);
    });
};

function isSame(what: string, { fingerprint, location, ruleId, path = [] }: Finding): boolean {
  const [rule, place] = what.split('@');
  if (place !== undefined && rule === ruleId) return `${path.join('.')}.`.startsWith(`${place}.`);
  if (/^[0-9a-f]{6,16}$/.test(what)) return fingerprint.startsWith(what);
  return location !== undefined && what === `${location.file}:${String(location.line)}`;
}

function notFound(what: string): CastellanError {
  const meant = nearest(
    what,
    rules.map(({ id }) => id),
  );
  const hint = meant === undefined ? '' : `, did you mean "${meant}"?`;
  return new CastellanError('CAS7001', `"${what}" is neither a rule nor a finding here${hint}`, { details: { given: what } });
}

/** Where no one edit is the right one: a configuration that passes, from the rule's page. */
function passingExample(id: string): readonly string[] {
  const example = /\n## Passing\n\n```yaml\n([\s\S]*?)```/.exec(pageOf(id))?.[1];
  return example === undefined
    ? []
    : ['', 'which edit is right is for you to say; this passes:', '', example.trimEnd().replace(/^/gm, '  ')];
}

/** The rule's page as it is published. */
function pageOf(id: string): string {
  const folders = [join(__dirname, '../../docs/rules'), join(__dirname, '../docs/rules')];
  const file = folders.map((folder) => join(folder, `${id}.md`)).find((each) => existsSync(each));
  if (file !== undefined) return readFileSync(file, 'utf8');
  const rule = rules.find((each) => each.id === id);
  return `# ${id}\n\n${rule?.title ?? ''}\n\n${rule?.why ?? ''}\n`;
}

function traceOf(finding: Finding, report: CheckReport): string {
  const { location, message, ruleId, fingerprint, path, verdict, severity, fix } = finding;
  const rule = report.rules.get(ruleId);
  const source = location === undefined ? undefined : report.sources?.get(location.file);
  const frame = location === undefined || source === undefined ? '' : `${codeFrame(source, location, secretPlaces(report.findings))}\n\n`;
  const lines = [
    `${ruleId} (${verdict === 'unknown' ? 'unknown' : severity}) at ${placeOf(finding)}`,
    `  ${message}`,
    '',
    `${frame}what   ${(path ?? []).join(' > ')}`,
    ...(finding.constructPath === undefined ? [] : [`built  ${finding.constructPath}`]),
    ...(finding.terraformAddress === undefined ? [] : [`plan   ${finding.terraformAddress}`]),
    ...(rule === undefined ? [] : [`rule   ${rule.title}`, `why    ${rule.why}`, `page   ${rule.helpUri}`]),
    `finding ${fingerprint}${report.suppressed.includes(finding) ? ' (suppressed)' : ''}`,
  ];
  const edit = editFor(finding, report.stacks);
  const text = source?.text ?? '';
  if (edit === undefined) lines.push(...passingExample(ruleId));
  else lines.push('', `smallest passing edit: ${fix?.description ?? ''}`, lineDiff(text, editedText(text, [edit])));
  return `${lines.join('\n')}\n\n`;
}
