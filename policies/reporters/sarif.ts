import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { documentationUrl } from '../../core/text/documentation-url.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  messageWithAddress,
  pathInRepository,
  placeText,
  type Report,
  withoutPasses,
  type ReportedRule,
} from './report.js';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/**
 * SARIF 2.1.0 for code scanning. Every result is located in the source; in the plan only if its
 * source is unknown. A verdict that is known only after apply is of kind `open`; compared with a
 * base, results have a `baselineState`. Fingerprints do not change when lines move.
 */
export function sarifReport(report: Report): string {
  const reportableFindings = withoutPasses(report.findings);
  const findings = mostSevere(reportableFindings);
  const omitted = reportableFindings.length - findings.length;
  const ruleIds = [...new Set(findings.map(({ ruleId }) => ruleId))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'castellan',
            informationUri: documentationUrl,
            semanticVersion: report.version,
            rules: ruleIds.map((id) => ruleOf(id, report.rules.get(id))),
          },
        },
        ...(omitted !== 0 && { invocations: [incompleteInvocation(omitted)] }),
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) =>
          resultOf(
            withRepositoryPaths(withLocation(finding, report), report),
            ruleIds.indexOf(finding.ruleId),
          ),
        ),
        properties: {
          summary: report.summary,
          ...(omitted !== 0 && { resultsLeftOut: omitted }),
        },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/**
 * The limits of code scanning per run: https://docs.github.com/code-security/code-scanning, "SARIF
 * support".
 */
const maxResults = 25_000;
const severityOrder = { error: 0, warning: 1, info: 2 } as const;

/**
 * As many findings as code scanning accepts: drops the least severe ones first, and unknowns before
 * mistakes.
 */
function mostSevere(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= maxResults) return findings;
  const rankOf = ({ verdict, severity }: Finding): number =>
    verdict === 'unknown' ? 3 : severityOrder[severity];
  const keptFindings = new Set(
    [...findings].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, maxResults),
  );
  return findings.filter((finding) => keptFindings.has(finding));
}

function incompleteInvocation(omitted: number): object {
  const text = `${String(omitted)} results are left out, those that weigh least: code scanning takes ${String(maxResults)} in one run. castellan check --format json has all of them.`;
  return {
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'warning', message: { text } }],
  };
}

/**
 * Findings without a location, such as one about a resource that only a plan has, are located in
 * the first checked file.
 */
function withLocation(finding: Finding, { sources, inputs = [] }: Report): Finding {
  const [file = inputs[0]] = sources?.keys() ?? [];
  return finding.location !== undefined || file === undefined
    ? finding
    : { ...finding, location: { file, line: 1, column: 1 } };
}

/** A finding with the paths that its files have in the repository. */
function withRepositoryPaths(finding: Finding, report: Report): Finding {
  const { location, usedAt } = finding;
  const withRepositoryPath = (place: SourceLocation): SourceLocation => ({
    ...place,
    file: pathInRepository(place.file, report),
  });
  return {
    ...finding,
    ...(location !== undefined && { location: withRepositoryPath(location) }),
    ...(usedAt !== undefined && { usedAt: withRepositoryPath(usedAt) }),
  };
}

function ruleOf(id: string, rule: ReportedRule | undefined): object {
  if (rule === undefined) return { id };
  const { title, why, severity, helpUri } = rule;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: why ?? title },
    helpUri,
    defaultConfiguration: { level: levels[severity] },
  };
}

function resultOf(finding: Finding, ruleIndex: number): object {
  const isUnknown = finding.verdict === 'unknown';
  const message = messageWithAddress(finding);
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    kind: isUnknown ? 'open' : 'fail',
    level: isUnknown ? 'none' : levels[finding.severity],
    ...omitUndefined({ baselineState: finding.change }),
    message: { text: finding.fix ? `${message} (fix: ${finding.fix.description})` : message },
    locations: [
      finding.location
        ? locationOf(finding, finding.location)
        : { logicalLocations: [{ fullyQualifiedName: placeText(finding) }] },
    ],
    ...(finding.usedAt !== undefined && {
      relatedLocations: [
        { ...locationOf(finding, finding.usedAt), message: { text: 'used here' } },
      ],
    }),
    partialFingerprints: { 'castellan/v1': finding.fingerprint },
    properties: {
      messageId: finding.messageId,
      ...omitUndefined({ path: finding.path, environments: finding.environments }),
      ...(finding.terraformAddress && { terraformAddress: finding.terraformAddress }),
      ...(finding.liveId && { liveId: finding.liveId }),
    },
  };
}

function locationOf(
  finding: Finding,
  { file, line, column, endLine, endColumn }: SourceLocation,
): object {
  const name = finding.constructPath ?? finding.path?.join('.');
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: {
        startLine: line,
        startColumn: column,
        ...omitUndefined({ endLine, endColumn }),
      },
    },
    ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }),
  };
}

/** A relative path as a URI reference; an absolute one as a file URL. */
function uriOf(file: string): string {
  const path = file.replace(/\\/g, '/').split('/').map(encodeURIComponent).join('/');
  return file.startsWith('/') ? `file://${path}` : path.replace(/^\.\//, '');
}
