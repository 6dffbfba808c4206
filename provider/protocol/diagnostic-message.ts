import type { Finding } from '../schemas/schema.js';
import { encodePath } from '../values/path.js';
import type { DiagnosticMessage } from './messages.js';

/** A finding as Terraform shows it, at its attribute. Secrets that got into a text (a service may repeat what it was sent) are blotted out. */
export function diagnosticMessage(finding: Finding, secrets: readonly string[] = []): DiagnosticMessage {
  const hide = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '(sensitive value)'), text);
  return {
    severity: finding.severity === 'error' ? 'ERROR' : 'WARNING',
    summary: hide(finding.summary),
    detail: hide(finding.detail ?? ''),
    ...(finding.path === undefined || finding.path.length === 0 ? {} : { attribute: encodePath(finding.path) }),
  };
}
