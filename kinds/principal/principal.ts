import { kind } from '../schema/kind.js';
import { type DeclarationOf, text, enumOf } from '../schema/schema-builders.js';

/** The kinds of principals that the directory knows. */
export const principalKinds = ['user', 'servicePrincipal', 'device', 'contact', 'group'] as const;

/** A kind of principal. */
export type PrincipalKind = (typeof principalKinds)[number];

/**
 * Who already exists in the directory: exactly one of the kinds, by name or object id. Terraform
 * looks a name up, where it can.
 */
export const principal = kind(() => ({
  meaning: 'A user, group or service principal that exists in the directory.',
  terraform: { resourceTypes: [] },
  properties: {
    user: text('A user, by user principal name or object id.', {
      minLength: 1,
      terraform: { azuread_user: 'user_principal_name' },
    }),
    servicePrincipal: text('A service principal, by display name or object id.', {
      minLength: 1,
      terraform: { azuread_service_principal: 'display_name' },
    }),
    device: text('A device, by display name or object id.', { minLength: 1 }),
    contact: text('An organizational contact, by mail address or object id.', { minLength: 1 }),
    group: text('A group that this stack does not manage, by display name or object id.', {
      minLength: 1,
      terraform: { azuread_group: 'display_name' },
    }),
    groupKind: enumOf(['security', 'unified'], {
      description: 'The kind of an existing group, if rules about members depend on it.',
      terraform: {
        azuread_group: { at: 'mail_enabled', valueMap: { security: false, unified: true } },
      },
    }),
  },
}));

/** Who already exists in the directory; `{ user: 'ada@contoso.example' }`. */
export type PrincipalProps = DeclarationOf<typeof principal.schema>;
