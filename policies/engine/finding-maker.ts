import type { Finding, Severity, SourceLocation, Verdict } from '../../core/findings/finding.js';
import { fingerprintOf } from '../../core/findings/fingerprint.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Report, Rule } from './rule.js';
import { renderMessage } from './rule.js';
import type { Origin } from './stack-index.js';

/** What a finding is about: a declaration, or (with an empty path) the stack itself. */
export interface Subject {
  /** The configuration path of the declaration: `['groups', 'shoppers']`. */
  readonly path: ConfigPath;
  readonly origin: Origin;
}

/** Where a configuration path stands in the source. */
export type Locate = (path: ConfigPath, at?: 'key' | 'value') => SourceLocation | undefined;

/** Makes the finding of a report. */
export function makeFinding(rule: Rule, report: Report, subject: Subject, locate: Locate, severity: Severity = rule.severity): Finding {
  const message = renderMessage(rule.messages[report.messageId] ?? report.messageId, report.parameters ?? {});
  return assemble(rule.id, report, subject, locate, { message, severity, verdict: 'fail' });
}

/** Makes the finding of a value that is known only later. */
export function makeUnknown(rule: Rule, path: ConfigPath, subject: Subject, locate: Locate): Finding {
  const property = path.join('.');
  const message = `${property} is known only later; "${rule.title}" is checked again on the plan`;
  const report = { messageId: 'unknown', path, parameters: { property } };
  return assemble(rule.id, report, subject, locate, { message, severity: rule.severity, verdict: 'unknown' });
}

interface Judgement {
  readonly message: string;
  readonly severity: Severity;
  readonly verdict: Verdict;
}

function assemble(ruleId: string, report: Report, subject: Subject, locate: Locate, judgement: Judgement): Finding {
  const path = [...subject.path, ...(report.path ?? [])];
  const location = locate(path, report.at) ?? subject.origin.location;
  const { constructPath, terraformAddress, liveId } = subject.origin;
  return {
    ruleId,
    messageId: report.messageId,
    parameters: report.parameters ?? {},
    ...judgement,
    ...(location === undefined ? {} : { location }),
    path,
    ...(constructPath === undefined ? {} : { constructPath }),
    ...(terraformAddress === undefined ? {} : { terraformAddress }),
    ...(liveId === undefined ? {} : { liveId }),
    fingerprint: fingerprintOf(ruleId, subjectOf(path, report)),
    ...(report.fix === undefined
      ? {}
      : { fix: { ...report.fix, path: [...subject.path, ...(report.fix.path ?? report.path ?? [])], value: report.fix.value } }),
  };
}

/** The property without positions; what stands in a list is told apart by its value. */
function subjectOf(path: ConfigPath, { messageId, parameters }: Report): readonly (string | number)[] {
  const names = path.filter((step) => typeof step === 'string');
  return names.length === path.length ? [messageId, ...names] : [messageId, ...names, JSON.stringify(parameters?.['given'] ?? '')];
}
