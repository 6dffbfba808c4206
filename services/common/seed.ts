/** One object of a seed list, in the API's own property names. */
export type SeedEntry = Readonly<Record<string, unknown>>;

/** The lists of a seed file (design: "The services by themselves", `--seed`). A service takes the ones it keeps and ignores the rest. */
export interface SeedSection {
  /** Of a seed that `castellan snapshot` wrote: what of the directory was read. No service keeps it. */
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
  readonly billing?: readonly SeedEntry[];
}
