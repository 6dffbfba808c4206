import type { DirectoryProviderProps } from './providers.js';
import type { AuthProps } from './auth.js';

/**
 * The directory provider with every reference resolved: object ids, client id and secret of its
 * registration, issuer.
 */
export interface ResolvedDirectoryProvider extends Omit<
  DirectoryProviderProps,
  'registration' | 'clientSecret' | 'tenantId'
> {
  /** Client id and secret of the registration that the provider names. */
  readonly registration?: { readonly clientId: string; readonly clientSecret: string } | undefined;
  /** The secret that the provider itself declares, in place of that of the registration. */
  readonly clientSecret?: string | undefined;
  /** The declared issuer of the tokens, otherwise that of the tenant. */
  readonly issuer: string;
}

/** The providers of an app with every reference resolved. */
export interface ResolvedProviders extends Omit<AuthProps['providers'], 'directory'> {
  readonly directory?: ResolvedDirectoryProvider | undefined;
}

/** Sign-in settings with every reference resolved. */
export interface ResolvedAuth extends Omit<AuthProps, 'providers'> {
  readonly providers: ResolvedProviders;
}

interface WithProviders {
  readonly providers: { readonly directory?: object | undefined };
}

/** Sign-in settings whose directory provider has another type. */
type WithDirectory<Auth extends WithProviders, Directory> = Omit<Auth, 'providers'> & {
  readonly providers: Omit<Auth['providers'], 'directory'> & {
    readonly directory?: Directory | undefined;
  };
};

/** Sign-in settings with their directory provider transformed, where they have one. */
export function mapDirectoryProvider<Auth extends WithProviders, Directory>(
  auth: Auth,
  transform: (directory: NonNullable<Auth['providers']['directory']>) => Directory,
): WithDirectory<Auth, Directory> {
  const { directory, ...others }: Auth['providers'] = auth.providers;
  return {
    ...auth,
    providers: directory === undefined ? others : { ...others, directory: transform(directory) },
  };
}
