import type { BodyField, BodyFields } from '../body-fields.js';

/** A text that is null if unset. */
export const nullIfUnset = (bodyPath: string): BodyField => ({ bodyPath, sentDefault: null });
/** Set by the directory only; empty text if it has none. */
export const readOnlyText = (bodyPath: string): BodyField => ({
  bodyPath,
  readOnly: true,
  stateDefault: '',
});
/** A text that is empty if unset. */
export const emptyTextIfUnset = (bodyPath: string): BodyField => ({
  bodyPath,
  sentDefault: '',
  stateDefault: '',
});
/** A list that is empty if unset. */
export const emptyListIfUnset = (bodyPath: string): BodyField => ({
  bodyPath,
  sentDefault: [],
  stateDefault: [],
});
/** A flag that is false if unset. */
export const falseIfUnset = (bodyPath: string): BodyField => ({
  bodyPath,
  sentDefault: false,
  stateDefault: false,
});

const enabled: BodyField = { bodyPath: 'isEnabled', sentDefault: true };

/**
 * The fields of an app role besides its id and whether it is enabled: a resource of one role has
 * its id under another name, and always enables it.
 */
export const roleFields: BodyFields = {
  allowed_member_types: {
    ...emptyListIfUnset('allowedMemberTypes'),
    toBody: (types) => (types as string[]).sort(),
  },
  description: emptyTextIfUnset('description'),
  display_name: emptyTextIfUnset('displayName'),
  value: emptyTextIfUnset('value'),
};

/** The fields of a permission scope besides its id and whether it is enabled. */
export const scopeFields: BodyFields = {
  admin_consent_description: emptyTextIfUnset('adminConsentDescription'),
  admin_consent_display_name: emptyTextIfUnset('adminConsentDisplayName'),
  type: { bodyPath: 'type', sentDefault: 'User', stateDefault: 'User' },
  user_consent_description: emptyTextIfUnset('userConsentDescription'),
  user_consent_display_name: emptyTextIfUnset('userConsentDisplayName'),
  value: emptyTextIfUnset('value'),
};

/** The roles of an application, or of its service principal. */
export const appRolesField: BodyField = {
  bodyPath: 'appRoles',
  sentDefault: [],
  fields: { id: 'id', enabled, ...roleFields },
};
/** The scopes of a service principal, or of the `api` of an application. */
export const scopesField: BodyField = {
  bodyPath: 'oauth2PermissionScopes',
  sentDefault: [],
  fields: { id: 'id', enabled, ...scopeFields },
};

const claimList = (bodyPath: string): BodyField => ({
  bodyPath,
  sentDefault: [],
  fields: {
    name: 'name',
    source: emptyTextIfUnset('source'),
    essential: falseIfUnset('essential'),
    additional_properties: emptyListIfUnset('additionalProperties'),
  },
});

/** The optional claims of the tokens of an application. */
export const claimFields: BodyFields = {
  access_token: claimList('accessToken'),
  id_token: claimList('idToken'),
  saml2_token: claimList('saml2Token'),
};

/** The fields of a client secret besides its value. */
export const passwordFields: BodyFields = {
  key_id: { bodyPath: 'keyId', readOnly: true },
  display_name: { bodyPath: 'displayName', stateDefault: '' },
  start_date: { bodyPath: 'startDateTime', stateDefault: '' },
  end_date: { bodyPath: 'endDateTime', stateDefault: '' },
};
