import type { Field, Fields } from '../fields.js';

/** A text that is cleared by null where it isn't set. */
export const cleared = (at: string): Field => ({ at, unset: null });
/** What only the directory sets: "" where it has none. */
export const readOnlyText = (at: string): Field => ({ at, readOnly: true, absent: '' });
/** A text that is empty where it isn't set. */
export const orEmpty = (at: string): Field => ({ at, unset: '', absent: '' });
/** A list that is empty where it isn't set. */
export const list = (at: string): Field => ({ at, unset: [], absent: [] });
/** A flag that is off where it isn't set. */
export const off = (at: string): Field => ({ at, unset: false, absent: false });

const enabled: Field = { at: 'isEnabled', unset: true };

/** What an app role has besides its id and whether it is enabled, which parts of an application have under other names. */
export const roleFields: Fields = {
  allowed_member_types: { ...list('allowedMemberTypes'), toBody: (types) => (types as string[]).sort() },
  description: orEmpty('description'),
  display_name: orEmpty('displayName'),
  value: orEmpty('value'),
};

/** What a permission scope has besides its id and whether it is enabled. */
export const scopeFields: Fields = {
  admin_consent_description: orEmpty('adminConsentDescription'),
  admin_consent_display_name: orEmpty('adminConsentDisplayName'),
  type: { at: 'type', unset: 'User', absent: 'User' },
  user_consent_description: orEmpty('userConsentDescription'),
  user_consent_display_name: orEmpty('userConsentDisplayName'),
  value: orEmpty('value'),
};

/** The roles of an application, or of its service principal. */
export const roles: Field = { at: 'appRoles', unset: [], fields: { id: 'id', enabled, ...roleFields } };
/** The scopes of a service principal, or of the `api` of an application. */
export const scopes: Field = { at: 'oauth2PermissionScopes', unset: [], fields: { id: 'id', enabled, ...scopeFields } };

const claims = (at: string): Field => ({
  at,
  unset: [],
  fields: {
    name: 'name',
    source: orEmpty('source'),
    essential: off('essential'),
    additional_properties: list('additionalProperties'),
  },
});

/** The optional claims of the tokens of an application. */
export const claimFields: Fields = { access_token: claims('accessToken'), id_token: claims('idToken'), saml2_token: claims('saml2Token') };

/** A client secret, besides its value. */
export const passwordFields: Fields = {
  key_id: { at: 'keyId', readOnly: true },
  display_name: { at: 'displayName', absent: '' },
  start_date: { at: 'startDateTime', absent: '' },
  end_date: { at: 'endDateTime', absent: '' },
};
