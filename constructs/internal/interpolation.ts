const encodedToken = /(\$\{TfToken\[[^\]]+\]\})/;

/**
 * Escapes the user's text for Terraform: `${` and `%{` would start a template and are doubled.
 * Tokens, the values known only after apply, keep their meaning.
 */
export function escapeInterpolation(text: string): string {
  if (typeof text !== 'string') return String(text); // a token by itself, such as an iterator's value
  return (
    text
      .split(encodedToken)
      // split by a group: every second part is a token
      .map((part, index) => (index % 2 === 1 ? part : part.replace(/([$%])\{/g, '$1$1{')))
      .join('')
  );
}

/** {@link escapeInterpolation} of optional text. */
export function escapeIfGiven(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escapeInterpolation(text);
}

/** Applies {@link escapeInterpolation} to every text in plain data, including keys. */
export function escapeInterpolationIn<Data>(data: Data): Data {
  if (typeof data === 'string') return escapeInterpolation(data) as Data;
  if (Array.isArray(data)) return data.map((each: unknown) => escapeInterpolationIn(each)) as Data;
  if (data === null || typeof data !== 'object' || Object.getPrototypeOf(data) !== Object.prototype)
    return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      escapeInterpolation(key),
      escapeInterpolationIn(value as unknown),
    ]),
  ) as Data;
}

const environmentReference = /^\$\{env:([A-Za-z_]\w*)\}$/;

/** The environment variable in a reference to a secret (`${env:NAME}`), if there is one. */
export function environmentVariableOf(reference: string): string | undefined {
  return environmentReference.exec(reference)?.[1];
}
