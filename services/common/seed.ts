/** An object of a seed list, with the API's property names. */
export type SeedEntry = Readonly<Record<string, unknown>>;

/**
 * The lists of a seed file (`castellan serve --seed`), or of a part of one. A service uses its own
 * lists and ignores the others.
 */
export interface SeedLists {
  /** In a seed from `castellan snapshot`: what was read of the directory. No service uses it. */
  readonly snapshot?: readonly SeedEntry[];
  readonly users?: readonly SeedEntry[];
  readonly devices?: readonly SeedEntry[];
  readonly servicePrincipals?: readonly SeedEntry[];
  readonly applications?: readonly SeedEntry[];
  /** Directory roles by `roleTemplateId`, with their `members`. */
  readonly directoryRoles?: readonly SeedEntry[];
  readonly contacts?: readonly SeedEntry[];
  readonly groups?: readonly SeedEntry[];
  readonly capacities?: readonly SeedEntry[];
  readonly workspaces?: readonly SeedEntry[];
  readonly sensitivityLabels?: readonly SeedEntry[];
  readonly tags?: readonly SeedEntry[];
  /** Invoices with their transactions. */
  readonly billing?: readonly SeedEntry[];
}
