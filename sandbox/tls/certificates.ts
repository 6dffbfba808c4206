import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { Authority } from './authority.js';

/** Names that every certificate of the sandbox carries. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];
/** Names beyond these are answered with the sandbox's own certificate: no one can fill the memory by asking for names. */
const mostNames = 500;

/**
 * Answers TLS handshakes with a certificate of the very name that is asked for: a wildcard of `*.localhost` is not believed by common
 * TLS libraries, since it has one label only.
 */
export class Certificates {
  readonly #contexts = new Map<string, Promise<SecureContext>>();

  private constructor(
    private readonly authority: Authority,
    readonly own: { readonly cert: string; readonly key: string },
  ) {}

  static async open(authority: Authority): Promise<Certificates> {
    return new Certificates(authority, await authority.issue(ownHosts));
  }

  /** For the `SNICallback` of a TLS server. */
  readonly contextOf = (name: string, done: (error: Error | null, context?: SecureContext) => void): void => {
    const host = name.toLowerCase();
    if (!/^[a-z0-9.-]{1,200}\.localhost$/.test(host)) return done(null, undefined);
    let context = this.#contexts.get(host);
    if (context === undefined) {
      if (this.#contexts.size >= mostNames) return done(null, undefined);
      context = this.authority.issue([host]).then((issued) => createSecureContext(issued));
      this.#contexts.set(host, context);
    }
    context.then(
      (made) => done(null, made),
      (error: unknown) => done(error as Error),
    );
  };
}
