/**
 * A failed call to another system, with its address (never a query, a user or a password) and the
 * reason.
 */
export class ExternalCallError extends Error {
  constructor(
    readonly code: string,
    readonly address: string,
  ) {
    super(`${address}: ${code}`);
    this.name = 'ExternalCallError';
  }
}

/**
 * The reason of a failure, by its code (a `Refusal` has it in its `options`) or type: messages may
 * contain addresses with credentials, or a token.
 */
export function reasonOf(error: unknown): string {
  const { code, cause, options } = error as Partial<Record<'code', unknown>> &
    Partial<Record<'cause' | 'options', { code?: unknown }>>;
  const reason = [code, cause?.code, options?.code, errorName(error)].find(
    (each) => typeof each === 'string',
  );
  return reason === undefined ? 'unknown reason' : String(reason);
}

/** The type of an error: its name, or that of its class; undefined for other values. */
export function errorName(error: unknown): string | undefined {
  const { name } = error as { readonly name?: unknown };
  if (typeof name !== 'string') return undefined;
  return name === 'Error' ? (error as Error).constructor.name : name;
}

/** An address for logs and pages: without user, password, query and fragment. */
export function urlWithoutSecrets(address: string): string {
  const multipleHosts = /^([\w-]+:\/\/)(?:[^@/]*@)?([^@/]+,[^@/]+(?:\/[\w.-]*)?)$/.exec(address);
  if (multipleHosts !== null) return `${multipleHosts[1]}${multipleHosts[2]}`;
  if (!URL.canParse(address)) return address.slice(0, address.indexOf(':') + 1);
  const { protocol, host, pathname } = new URL(address);
  // An unencoded slash in a password would start the path.
  if (host !== '' && pathname.includes('@')) return `${protocol}//${host}`;
  return host === ''
    ? `${protocol}${pathname}`
    : `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
