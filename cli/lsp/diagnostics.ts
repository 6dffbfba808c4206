import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { reportedRules } from '../../policies/check/check-report.js';
import { rules } from '../../policies/index.js';
import { uriOf } from './workspace.js';

const pages = reportedRules(rules);
const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** The findings as diagnostics, by the URI of their file. */
export function diagnosticsOf(findings: readonly Finding[]): Map<string, Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>();
  for (const finding of findings) {
    if (finding.location === undefined || finding.verdict === 'pass') continue;
    const uri = uriOf(finding.location.file);
    const own = byFile.get(uri) ?? [];
    own.push(diagnosticOf(finding, finding.location));
    byFile.set(uri, own);
  }
  return byFile;
}

function diagnosticOf(finding: Finding, location: SourceLocation): Diagnostic {
  const page = pages.get(finding.ruleId)?.helpUri;
  return {
    range: rangeOf(location),
    severity:
      finding.verdict === 'unknown' ? DiagnosticSeverity.Hint : severities[finding.severity],
    source: 'castellan',
    code: finding.ruleId,
    ...(page !== undefined && { codeDescription: { href: page } }),
    message: finding.message,
    data: { fingerprint: finding.fingerprint },
  };
}

/** A location in the protocol's form, from 0. */
export function rangeOf({
  line,
  column,
  endLine = line,
  endColumn = column + 1,
}: SourceLocation): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}
