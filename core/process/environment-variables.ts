/** The variables of a process's environment by name, as `process.env` has them. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;
