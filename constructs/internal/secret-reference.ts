const fromEnvironment = /^(?:\$\{env:([A-Za-z_]\w*)\}|env:([A-Za-z_]\w*))$/;

/** The environment variable that a reference to a secret names (`${env:NAME}`, `env:NAME`), if it names one. */
export function environmentVariableOf(reference: string): string | undefined {
  const match = fromEnvironment.exec(reference);
  return match?.[1] ?? match?.[2];
}
