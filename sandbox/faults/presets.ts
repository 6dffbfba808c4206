import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import type { Fault, FaultPlan } from './fault.js';

/** A named set of faults, with an issue in which a user reports such faults. */
export interface FaultPreset {
  /** What happens, in a sentence. */
  readonly summary: string;
  readonly issueUrl: string;
  readonly faults: readonly Fault[];
}

const issue = (repository: string, number: number): string =>
  `https://github.com/${repository}/issues/${String(number)}`;

/** The presets of `castellan sandbox faults`. */
export const faultPresets: Readonly<Record<string, FaultPreset>> = {
  consistency: {
    summary: 'A new group, application or person answers 404 for some seconds; lists lag behind.',
    issueUrl: issue('hashicorp/terraform-provider-azuread', 791),
    faults: [
      { fault: 'notYetFound', service: 'directory', share: 0.7, seconds: 4 },
      { fault: 'staleList', service: 'directory', share: 0.7, seconds: 4 },
    ],
  },
  throttling: {
    summary: 'The directory refuses a third of all requests with 429 and Retry-After.',
    issueUrl: issue('hashicorp/terraform-provider-azuread', 1891),
    faults: [{ fault: 'throttled', service: 'directory', share: 0.3, retryAfter: 1 }],
  },
  outage: {
    summary: 'Every service answers one of four requests with 503.',
    issueUrl: issue('hashicorp/terraform-provider-azurerm', 19146),
    faults: [{ fault: 'unavailable', share: 0.25, retryAfter: 1 }],
  },
  'broken-connections': {
    summary: 'One of ten reading requests ends without an answer.',
    issueUrl: issue('Azure/azure-cli', 23362),
    faults: [{ fault: 'reset', operation: 'GET /**', share: 0.1 }],
  },
  'stuck-operation': {
    summary: 'Operations of workspaces stay Running.',
    issueUrl: issue('hashicorp/terraform-provider-azurerm', 17706),
    faults: [{ fault: 'operationRunning', service: 'items' }],
  },
  'failed-operation': {
    summary: 'Operations of workspaces end as Failed.',
    issueUrl: issue('hashicorp/terraform-provider-azurerm', 22432),
    faults: [{ fault: 'operationFailed', service: 'items' }],
  },
  'hanging-tokens': {
    summary: 'The token endpoint gives no answer.',
    issueUrl: issue('Azure/azure-cli', 23672),
    faults: [
      { fault: 'hang', service: 'identity-provider', operation: 'POST /*/oauth2/v2.0/token' },
    ],
  },
  'lost-principal': {
    summary: 'One of ten requests reaches the app without the headers of the signed-in person.',
    issueUrl: issue('microsoft/azure-container-apps', 1815),
    faults: [{ fault: 'lostPrincipal', service: 'app', share: 0.1 }],
  },
  'clock-ahead': {
    summary: 'Tokens are not valid yet: the clock of the identity provider is ten minutes ahead.',
    issueUrl: issue('Azure/azure-cli', 20388),
    faults: [{ fault: 'clockAhead', service: 'identity-provider', seconds: 600 }],
  },
};

/**
 * The faults of a preset.
 *
 * @throws CAS4023 for a name that no preset has.
 */
export function faultPlanOfPreset(name: string): FaultPlan {
  const preset = Object.hasOwn(faultPresets, name) ? faultPresets[name] : undefined;
  if (preset !== undefined) return { name, faults: preset.faults };
  const names = Object.keys(faultPresets);
  throw new CastellanError(
    'CAS4023',
    `there is no preset "${name}"${didYouMean(nearest(name, names), '.')} Presets: ${names.join(', ')}`,
  );
}
