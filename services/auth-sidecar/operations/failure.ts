/** Something outside of the sidecar that did not answer as it should, with its address (never a query, a user or a password) and why. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    readonly address: string,
  ) {
    super(`${address}: ${code}`);
    this.name = 'Failure';
  }
}

/** Why something failed, by its code or kind: messages may quote addresses with credentials, or a token. */
export function reasonOf(error: unknown): string {
  const { code, cause, options } = error as Partial<Record<'code', unknown>> & Partial<Record<'cause' | 'options', { code?: unknown }>>;
  const reason = [code, cause?.code, options?.code, kindOf(error)].find((each) => typeof each === 'string');
  return reason === undefined ? 'unknown reason' : String(reason);
}

/** The kind of an error: its name, or that of its class where it was given none; undefined for what is no error. */
export function kindOf(error: unknown): string | undefined {
  const { name } = error as { readonly name?: unknown };
  if (typeof name !== 'string') return undefined;
  return name === 'Error' ? (error as Error).constructor.name : name;
}

/** An address as it may be logged and shown: without user, password, query and fragment. */
export function plainUrl(address: string): string {
  if (!URL.canParse(address)) return address.slice(0, address.indexOf(':') + 1);
  const { protocol, host, pathname } = new URL(address);
  // A password with a slash, not encoded, would be taken for a path.
  if (host !== '' && pathname.includes('@')) return `${protocol}//${host}`;
  return host === '' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
