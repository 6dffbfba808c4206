/** A secret of an app, with its value where it is known. */
export interface AppSecret {
  readonly app: string;
  readonly name: string;
  readonly value: string | undefined;
}

/**
 * Names the environment variable of each secret: `API_KEY` for `api-key`. Secrets of several apps
 * share one only where their values are known and equal; else it begins with the app:
 * `SHOP_API_KEY`.
 *
 * @returns the variables in the order of the secrets.
 */
export function secretVariables(secrets: readonly AppSecret[]): readonly string[] {
  const isAmbiguous = ({ name, value }: AppSecret): boolean => {
    const alike = secrets.filter((each) => variableOf(each.name) === variableOf(name));
    return (
      alike.length > 1 && alike.some((each) => each.value === undefined || each.value !== value)
    );
  };
  const secretByVariable = new Map<string, AppSecret>();
  return secrets.map((secret) => {
    const base = variableOf(isAmbiguous(secret) ? `${secret.app}-${secret.name}` : secret.name);
    const isTaken = (variable: string): boolean => {
      const other = secretByVariable.get(variable);
      return other !== undefined && (secret.value === undefined || other.value !== secret.value);
    };
    let variable = base;
    for (let count = 2; isTaken(variable); count++) variable = `${base}_${String(count)}`;
    secretByVariable.set(variable, secret);
    return variable;
  });
}

function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
}
