import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { reportedRules } from '../../policies/check/check-report.js';
import { rules } from '../../policies/index.js';
import { type EditorCheckResult, uriOf } from './workspace.js';

const ruleDetails = reportedRules(rules);
const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/**
 * The findings as diagnostics, by the URI of their file; the same finding of several checks appears
 * once. In a file that several configurations include, each diagnostic names its stacks.
 */
export function diagnosticsOf({ findings, stacks }: EditorCheckResult): Map<string, Diagnostic[]> {
  const diagnosticsByUri = new Map<string, Diagnostic[]>();
  const diagnosticByContent = new Map<string, Diagnostic>();
  const seen = new Set<string>();
  const sharedUris = sharedFiles(stacks);
  const stackNamesByDiagnostic = new Map<Diagnostic, Set<string>>();
  for (const finding of findings) {
    if (finding.location === undefined || finding.verdict === 'pass') continue;
    const uri = uriOf(finding.location.file);
    const candidate = diagnosticOf(finding, finding.location);
    // in another environment the same finding may be worded by other names
    const { fingerprint, messageId, stack } = finding;
    const findingKey = JSON.stringify([uri, candidate.range, fingerprint, messageId, stack]);
    if (seen.has(findingKey)) continue;
    seen.add(findingKey);
    const contentKey = JSON.stringify([uri, candidate]);
    const diagnostic = diagnosticByContent.get(contentKey) ?? candidate;
    if (diagnostic === candidate) {
      diagnosticByContent.set(contentKey, candidate);
      const fileDiagnostics = diagnosticsByUri.get(uri) ?? [];
      diagnosticsByUri.set(uri, fileDiagnostics);
      fileDiagnostics.push(candidate);
    }
    if (!sharedUris.has(uri) || finding.stack === undefined) continue;
    const names = stackNamesByDiagnostic.get(diagnostic) ?? new Set();
    stackNamesByDiagnostic.set(diagnostic, names.add(finding.stack));
  }
  for (const [diagnostic, names] of stackNamesByDiagnostic)
    diagnostic.message += ` (${names.size === 1 ? 'stack' : 'stacks'} ${[...names].join(' and ')})`;
  return diagnosticsByUri;
}

/** The files that belong to several configurations. */
function sharedFiles(stacks: EditorCheckResult['stacks']): ReadonlySet<string> {
  const configs = new Map<string, Set<string>>();
  for (const { files } of stacks)
    for (const file of files.map(uriOf))
      configs.set(file, (configs.get(file) ?? new Set()).add(files[0] ?? ''));
  return new Set(
    [...configs].filter(([, configFiles]) => configFiles.size > 1).map(([file]) => file),
  );
}

function diagnosticOf(finding: Finding, location: SourceLocation): Diagnostic {
  const page = ruleDetails.get(finding.ruleId)?.helpUri;
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
