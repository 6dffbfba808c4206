import type { Finding, Severity, SourceLocation, Verdict } from '../../core/findings/finding.js';
import { fingerprintOf } from '../../core/findings/fingerprint.js';
import { referencedVariableNames } from '../../core/yaml/environment-reference.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { renderMessage, type ReportDescriptor, type ReportedFix, type Rule } from './rule.js';
import type { Origin } from './stack-index.js';
import { valueAt } from './schema-validation.js';

/** The subject of a finding: a declaration, or (with an empty path) the stack itself. */
export interface Subject {
  /** The configuration path of the declaration: `['groups', 'shoppers']`. */
  readonly path: ConfigPath;
  /** Where it was created; empty where the path alone locates it, as in castellan.yaml. */
  readonly origin: Origin;
}

/** Locates a configuration path in the source. */
export type Locate = (path: ConfigPath, at?: 'key' | 'value') => SourceLocation | undefined;

/** Creates the finding of a report. */
export function makeFinding(
  rule: Rule,
  report: ReportDescriptor,
  subject: Subject,
  locate: Locate,
  severity: Severity = report.severity ?? rule.severity,
): Finding {
  const message = renderMessage(
    rule.messages[report.messageId] ?? report.messageId,
    report.parameters ?? {},
  );
  return assemble(rule.id, report, subject, locate, { message, severity, verdict: 'fail' });
}

/** A value that is known only later, with its path in the declaration. */
export interface UnknownValue {
  readonly path: ConfigPath;
  /** The value as it is written, such as `${env:NAME}`, or a placeholder. */
  readonly value: unknown;
}

/** Creates the finding about a value that is known only later. */
export function makeUnknownFinding(
  rule: Rule,
  { path, value }: UnknownValue,
  subject: Subject,
  locate: Locate,
): Finding {
  const property = path.join('.');
  const names =
    typeof value === 'string' && value !== unknownPlaceholder ? referencedVariableNames(value) : [];
  const { message, parameters } =
    names.length > 0 ? unsetText(rule, property, names) : knownAfterApply(rule, property);
  const report = { messageId: 'unknown', path, parameters };
  return assemble(rule.id, report, subject, locate, {
    message,
    severity: rule.severity,
    verdict: 'unknown',
  });
}

type MessageText = Pick<Finding, 'message' | 'parameters'>;

function unknownText(rule: Rule, property: string, why: string): MessageText {
  return {
    message: `${property} can't be judged: ${why}`,
    parameters: { property, demand: rule.title },
  };
}

function unsetText(rule: Rule, property: string, names: readonly string[]): MessageText {
  const variables = names.join(' and ');
  const verb = names.length === 1 ? 'is' : 'are';
  const { message, parameters } = unknownText(rule, property, `${variables} ${verb} not set`);
  return { message, parameters: { ...parameters, variables } };
}

const knownAfterApplyTexts = new WeakMap<Rule, Map<string, MessageText>>();

/**
 * The message about a property that is known only after apply: one string for thousands of
 * resources in a plan.
 */
function knownAfterApply(rule: Rule, property: string): MessageText {
  const textsOfRule = knownAfterApplyTexts.get(rule) ?? new Map<string, MessageText>();
  knownAfterApplyTexts.set(rule, textsOfRule);
  const text =
    textsOfRule.get(property) ?? unknownText(rule, property, 'it is known only after apply');
  textsOfRule.set(property, text);
  return text;
}

interface Judgement {
  readonly message: string;
  readonly severity: Severity;
  readonly verdict: Verdict;
}

function assemble(
  ruleId: string,
  report: ReportDescriptor,
  subject: Subject,
  locate: Locate,
  judgement: Judgement,
): Finding {
  const path = [...subject.path, ...(report.path ?? [])];
  const location = locate(path, report.at) ?? subject.origin.location;
  const { constructPath, terraformAddress, liveId, usedAt } = subject.origin;
  // assigned one by one, not spread: a plan may have half a million of them
  const finding: { -readonly [Key in keyof Finding]: Finding[Key] } = {
    ruleId,
    messageId: report.messageId,
    parameters: report.parameters ?? {},
    message: judgement.message,
    severity: judgement.severity,
    verdict: judgement.verdict,
    path,
    fingerprint: fingerprintOf(ruleId, fingerprintSubject(fingerprintPath(path, subject), report)),
  };
  if (location !== undefined) finding.location = location;
  if (usedAt !== undefined) finding.usedAt = usedAt;
  if (constructPath !== undefined) finding.constructPath = constructPath;
  if (terraformAddress !== undefined) finding.terraformAddress = terraformAddress;
  if (liveId !== undefined) finding.liveId = liveId;
  if (report.fix !== undefined) {
    const fixPath = report.fix.path ?? report.path ?? [];
    const description = report.fix.description ?? describeFix(report.fix, String(fixPath.at(-1)));
    finding.fix = {
      ...report.fix,
      description,
      path: [...subject.path, ...fixPath],
      value: report.fix.value,
    };
  }
  return finding;
}

function describeFix({ key, value }: ReportedFix, property: string): string {
  if (key !== undefined) return `rename ${property} to ${key}`;
  if (value === undefined) return `remove ${property}`;
  if (typeof value === 'boolean') return `write ${property}: ${String(value)}`;
  return `write ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}

/** A report whose message contains the given value, which the rule leaves to the path. */
export function withGivenValue(
  report: ReportDescriptor,
  { messages }: Rule,
  value: unknown,
): ReportDescriptor {
  const usesGivenValue = messages[report.messageId]?.includes('{given}') === true;
  if (
    !usesGivenValue ||
    (report.parameters !== undefined && Object.hasOwn(report.parameters, 'given'))
  )
    return report;
  return {
    ...report,
    parameters: { given: valueAt(value, report.path ?? []), ...report.parameters },
  };
}

/**
 * The path with the names that plans, states and the directory use, where those of the declaration
 * differ.
 */
function fingerprintPath(
  path: ConfigPath,
  { origin: { terraformName }, path: { length } }: Subject,
): ConfigPath {
  const [section, name, part, property] = path;
  const directoryProperty =
    part === 'dynamicMembership' ? directoryProperties.get(property) : undefined;
  if (length < 2 || (terraformName === undefined && directoryProperty === undefined)) return path;
  return [
    section ?? '',
    terraformName ?? name ?? '',
    ...(directoryProperty === undefined ? path.slice(2) : [directoryProperty]),
  ];
}

/** The names that the directory has for the properties of `dynamicMembership`. */
const directoryProperties: ReadonlyMap<string | number | undefined, string> = new Map([
  ['rule', 'membershipRule'],
  ['processing', 'membershipRuleProcessingState'],
]);

/** The property without indexes; list entries are identified by their value. */
function fingerprintSubject(
  path: ConfigPath,
  { messageId, parameters }: ReportDescriptor,
): readonly (string | number)[] {
  const names = path.filter((step) => typeof step === 'string');
  return names.length === path.length
    ? [messageId, ...names]
    : [messageId, ...names, JSON.stringify(parameters?.['given'] ?? '')];
}

/**
 * Removes findings that repeat another: a schema and a rule may both need the same unknown value.
 */
export function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const previous = new Set<string>();
  return findings.filter(({ fingerprint, verdict, message }) => {
    const key = `${fingerprint} ${verdict} ${message}`;
    const isNew = !previous.has(key);
    previous.add(key);
    return isNew;
  });
}
