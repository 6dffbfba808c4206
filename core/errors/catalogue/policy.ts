import type { CatalogueEntry } from '../entry.js';

/** Errors of the policy engine: CAS7000 to CAS7999. */
export const policyErrors = {
  CAS7001: { title: 'Unknown rule', help: 'See `castellan rules list`.' },
  CAS7002: { title: 'A policy file cannot be used', help: 'Check the path and what the message says is wrong in it.' },
  CAS7003: {
    title: 'Own rules cannot be run',
    help: 'Correct the file that the message names; docs/guides/write-a-rule.md shows how rules look.',
  },
  CAS7004: { title: 'A comparison with a base cannot be made', help: 'Run within the git repository, and fetch the base first.' },
  CAS7005: { title: 'A finding cannot be fixed or suppressed', help: 'See the findings with `castellan check --format json`.' },
  CAS7101: { title: 'A plan cannot be read', help: 'Give the file that `terraform show -json PLANFILE` prints.' },
  CAS7102: { title: 'A state cannot be read', help: 'Give the file that `terraform show -json` prints for the state.' },
  CAS7103: {
    title: 'A manifest of sources cannot be used',
    help: 'Give the castellan.manifest.json next to the Terraform JSON the plan was made of, or leave --manifest out.',
  },
} as const satisfies Record<`CAS7${string}`, CatalogueEntry>;
