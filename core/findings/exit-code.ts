/** The exit codes of every command, the same for every format. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  failure: 2,
  /** Only with `--fail-on-unknown`. */
  unknown: 3,
  nothingChecked: 4,
} as const;
