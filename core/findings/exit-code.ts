/** The exit codes of every command, the same for every format. */
export const exitCodes = {
  clean: 0,
  findings: 1,
  failure: 2,
  /** Something could not be judged; only with `--fail-on-unknown` or `--fail-on-unset`. */
  unknown: 3,
  nothingChecked: 4,
} as const;
