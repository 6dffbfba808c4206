import type { RegistrationDeclaration } from '../generated/declarations.js';
import type { Principal } from '../directory/principal.js';

/** Everything that may be declared of a registration. */
export interface ProviderRegistrationProps extends Omit<RegistrationDeclaration, 'owners'> {
  /** Who manages the registration: users and service principals, as principals or object ids. @default the directory decides. */
  readonly owners?: readonly (Principal | string)[];
}
