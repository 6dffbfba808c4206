import { isAbsolute, relative } from 'node:path';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';

/**
 * A finding as one line: location, severity, message and rule, and the line that uses the library.
 */
export function formatFinding(finding: Finding): string {
  const { location, constructPath, message, ruleId, severity, usedAt } = finding;
  const place = location === undefined ? (constructPath ?? '') : formatLocation(location);
  const use = usedAt === undefined ? '' : `, used at ${formatLocation(usedAt)}`;
  return `${place}: ${severity}: ${message} (${ruleId})${use}`;
}

/** A location as FILE:LINE:COLUMN; the file is relative if it is below the current folder. */
function formatLocation({ file, line, column }: SourceLocation): string {
  const path = relative(process.cwd(), file);
  return `${path.startsWith('..') || isAbsolute(path) ? file : path}:${line}:${column}`;
}
