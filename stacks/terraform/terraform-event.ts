import { isObject } from '../../core/values/is-object.js';
import { unservedTypeAdvice } from '../../core/sandbox/unserved-type.js';

/** A line of `terraform … -json`, as far as Castellan reads it. */
export interface TerraformEvent {
  /** `apply_complete`, `diagnostic` and others. */
  readonly type: string;
  readonly '@message': string;
  readonly diagnostic?: TerraformDiagnostic;
}

/** An error or warning of Terraform or a provider. */
export interface TerraformDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  /** The resource that it is about. */
  readonly address?: string;
}

/** Parses an event; undefined for another line, such as a warning about the CLI configuration. */
export function parseEvent(line: string): TerraformEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) ? (event as unknown as TerraformEvent) : undefined;
  } catch {
    return undefined; // not an event
  }
}

/** Whether an event is a diagnostic. */
export function isDiagnostic(
  event: TerraformEvent,
): event is TerraformEvent & { readonly diagnostic: TerraformDiagnostic } {
  return event.type === 'diagnostic' && event.diagnostic !== undefined;
}

/** The errors among diagnostics, without the warnings. */
export function errorsOf(events: readonly TerraformEvent[]): readonly TerraformDiagnostic[] {
  return events
    .filter(isDiagnostic)
    .map(({ diagnostic }) => diagnostic)
    .filter(({ severity }) => severity === 'error');
}

/**
 * The errors among diagnostics as text: address, summary, detail.
 *
 * @param providers with those of the sandbox, the error about a missing type gets advice.
 */
export function describeDiagnostics(
  events: readonly TerraformEvent[],
  providers: 'sandbox' | 'others',
): string {
  return errorsOf(events)
    .map(({ address, summary, detail = '' }) =>
      [
        `- ${address === undefined ? '' : `${address}: `}${summary}`,
        ...[detail, providers === 'sandbox' ? unservedTypeHint(detail) : '']
          .filter(Boolean)
          .map(indent),
      ].join('\n'),
    )
    .join('\n');
}

/** The advice for a type that the official provider has and the sandbox's lacks. */
function unservedTypeHint(detail: string): string {
  const [, type] =
    /The provider \S+ does not support (?:resource type|data source) "([^"]+)"/.exec(detail) ?? [];
  return type === undefined ? '' : unservedTypeAdvice(type, 'run with --providers official');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** The action in an event: `azuread_group.shoppers: Creation complete after 0s [id=…]`. */
export function completedAction(event: TerraformEvent): string | undefined {
  return event.type === 'apply_complete' ? event['@message'] : undefined;
}
