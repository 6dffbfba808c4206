import type { CatalogueEntry } from '../entry.js';

/** Errors of constructs and synthesis: CAS2000 to CAS2999. */
export const synthErrors = {
  CAS2001: { title: 'A construct was given a value that is not allowed', help: 'The findings in the message say what is allowed.' },
  CAS2101: { title: 'Terraform could not be fetched', help: 'Install Terraform 1.11 or later, or name it with CASTELLAN_TERRAFORM.' },
  CAS2102: {
    title: 'Terraform was not found',
    help: 'Install Terraform 1.11 or later (or OpenTofu), or name it with CASTELLAN_TERRAFORM.',
  },
  CAS2103: { title: 'Terraform failed', help: 'Its own words say why; `castellan plan` shows what it would do.' },
} as const satisfies Record<`CAS2${string}`, CatalogueEntry>;
