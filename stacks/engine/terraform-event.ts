/** What `terraform … -json` reports, line by line: the parts that Castellan reads. */
export interface TerraformEvent {
  readonly type: string;
  readonly '@message': string;
  readonly diagnostic?: TerraformDiagnostic;
  readonly hook?: { readonly resource?: { readonly addr?: string }; readonly action?: string; readonly elapsed_seconds?: number };
}

/** An error or warning of Terraform or a provider. */
export interface TerraformDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  readonly address?: string;
}

/** Whether an event carries a diagnostic. */
export function isDiagnostic(event: TerraformEvent): event is TerraformEvent & { readonly diagnostic: TerraformDiagnostic } {
  return event.type === 'diagnostic' && event.diagnostic !== undefined;
}

/** The errors among diagnostics as text: address, summary, detail. */
export function describeDiagnostics(events: readonly TerraformEvent[]): string {
  return events
    .filter(isDiagnostic)
    .map(({ diagnostic }) => diagnostic)
    .filter(({ severity }) => severity === 'error')
    .map(({ address, summary, detail }) =>
      [`- ${address === undefined ? '' : `${address}: `}${summary}`, ...(detail ? [indent(detail)] : [])].join('\n'),
    )
    .join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
