import { escapeHtml } from '../../core/text/escape-html.js';
import type { Finding } from '../../core/findings/finding.js';
import { groupOf, messageWithAddress, placeText, type Report, withoutPasses } from './report.js';

/**
 * JUnit XML: one suite per file, one case per finding. A failed check is a failure, an unknown one
 * is skipped with its reason; an information, or a finding that the base of a change has too, passes
 * with its text as output. A run without findings has one passing case, so that it is not mistaken
 * for an empty one.
 */
export function junitReport(report: Report): string {
  const suites = new Map<string, Finding[]>();
  for (const finding of withoutPasses(report.findings)) {
    const file = finding.location?.file ?? 'without source';
    const suite = suites.get(file);
    if (suite === undefined) suites.set(file, [finding]);
    else suite.push(finding);
  }
  const body =
    suites.size === 0
      ? [passingSuite(report)]
      : [...suites].map(([file, findings]) => suiteOf(file, findings));
  const allFindings = [...suites.values()].flat();
  const seconds = (report.summary.milliseconds / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="castellan check" ${countAttributes(allFindings, Math.max(allFindings.length, 1))} time="${seconds}">`,
    ...body,
    '</testsuites>',
    '',
  ].join('\n');
}

function passingSuite({ summary }: Report): string {
  return `  <testsuite name="castellan" tests="1" failures="0" errors="0" skipped="0"><testcase classname="castellan" name="${String(summary.rules)} rules kept by ${String(summary.resources)} resources"/></testsuite>`;
}

function suiteOf(file: string, findings: readonly Finding[]): string {
  return [
    `  <testsuite name="${escapeXml(file)}" ${countAttributes(findings, findings.length)} ${skippedAttribute(findings)}>`,
    ...findings.map(caseOf),
    '  </testsuite>',
  ].join('\n');
}

/**
 * Attributes that suites and the root have in common. There are never errors of the run itself: a
 * failed run has no report.
 */
function countAttributes(findings: readonly Finding[], tests: number): string {
  return `tests="${String(tests)}" failures="${String(findings.filter(isFailure).length)}" errors="0"`;
}

/** An attribute of suites only: the schema used by Jenkins does not have it on the root. */
function skippedAttribute(findings: readonly Finding[]): string {
  return `skipped="${String(findings.filter((each) => groupOf(each) === 'unknown').length)}"`;
}

function isFailure(finding: Finding): boolean {
  return ['error', 'warning'].includes(groupOf(finding));
}

function caseOf(finding: Finding): string {
  const place = placeText(finding);
  const message = messageWithAddress(finding);
  const name = `${(finding.path ?? []).join('.') || place} ${finding.messageId}`;
  const openingTag = `    <testcase classname="${escapeXml(finding.ruleId)}" name="${escapeXml(name)}"`;
  const text = escapeXml(
    `${place}\n${message}${finding.fix ? `\nfix: ${finding.fix.description}` : ''}`,
  );
  if (groupOf(finding) === 'unknown')
    return `${openingTag}><skipped message="${escapeXml(message)}"/></testcase>`;
  if (!isFailure(finding)) return `${openingTag}><system-out>${text}</system-out></testcase>`;
  return `${openingTag}><failure type="${finding.severity}" message="${escapeXml(message)}">${text}</failure></testcase>`;
}

/** Escapes element text and attributes, and drops characters that XML 1.0 cannot contain. */
function escapeXml(text: string): string {
  const allowed = text.replace(
    /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '\uFFFD',
  );
  return escapeHtml(allowed).replace(/\n/g, '&#10;');
}
