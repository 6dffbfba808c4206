import type { CatalogueEntry } from '../entry.js';

/** Errors of the Terraform provider: CAS3000 to CAS3999. */
export const providerErrors = {
  CAS3001: {
    title: 'Not a resource of this provider',
    help: '`castellan provider types` lists what is served. Declare other types of the cloud as azapi_resource, or run with --providers official.',
  },
  CAS3002: { title: 'The provider is not configured', help: 'Report this: Terraform configures a provider before it uses it.' },
  CAS3003: { title: 'A state is newer than the provider', help: 'Use the version of castellan that wrote the state, or a newer one.' },
  CAS3004: {
    title: 'This resource type cannot be imported',
    help: 'Let Terraform create it; docs/reference/provider.md says what can be imported.',
  },
  CAS3005: { title: 'The provider was started by hand', help: 'Terraform starts it: see `castellan provider install`.' },
  CAS3006: {
    title: 'The provider lacks a setting',
    help: 'Set it in the provider block or by the environment variable that the message names.',
  },
  CAS3007: { title: 'The plugin cannot be installed here', help: 'The message says what is missing.' },
} as const satisfies Record<`CAS3${string}`, CatalogueEntry>;
