import type { Application, AppRole, OptionalClaim, PermissionScope } from '../../../clients/directory/index.js';
import type { Value, ValueMap } from '../../values/value.js';
import { blocks, flag, given, mustText, text, texts } from '../read-values.js';

/** An app role as it is sent. */
export function expandRole(role: ValueMap, id: string, isEnabled: boolean): AppRole {
  return {
    id,
    allowedMemberTypes: texts(role, 'allowed_member_types').sort(),
    description: mustText(role, 'description'),
    displayName: mustText(role, 'display_name'),
    isEnabled,
    value: mustText(role, 'value'),
  };
}

/** A permission scope as it is sent. */
export function expandScope(scope: ValueMap, id: string, isEnabled: boolean): PermissionScope {
  return {
    id,
    adminConsentDescription: mustText(scope, 'admin_consent_description'),
    adminConsentDisplayName: mustText(scope, 'admin_consent_display_name'),
    isEnabled,
    type: text(scope, 'type') ?? 'User',
    userConsentDescription: mustText(scope, 'user_consent_description'),
    userConsentDisplayName: mustText(scope, 'user_consent_display_name'),
    value: mustText(scope, 'value'),
  };
}

/** Lists of optional claims by block name. */
export const claimLists = { access_token: 'accessToken', id_token: 'idToken', saml2_token: 'saml2Token' } as const;

/** The claims of one block list as they are sent. */
export function expandClaims(from: ValueMap | undefined, name: keyof typeof claimLists): OptionalClaim[] {
  return blocks(from, name).map((claim) => ({
    name: mustText(claim, 'name'),
    source: text(claim, 'source') ?? '',
    essential: flag(claim, 'essential'),
    additionalProperties: texts(claim, 'additional_properties'),
  }));
}

/** The claims of one list of what the directory has. */
export function flattenClaims(claims: readonly OptionalClaim[] | undefined): Value {
  return (claims ?? []).map((claim) => ({
    name: claim.name,
    source: claim.source ?? '',
    essential: claim.essential ?? false,
    additional_properties: [...(claim.additionalProperties ?? [])],
  }));
}

/** All three lists. */
export function flattenOptionalClaims(application: Application): ValueMap {
  return Object.fromEntries(
    Object.entries(claimLists).map(([name, property]) => [name, flattenClaims(application.optionalClaims?.[property])]),
  );
}

/** Words that the directory joins by commas. */
export function splitWords(words: string | null | undefined): string[] {
  return (words ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A text property, "" where the directory has none. */
export function textOf(from: unknown, name: string): Value {
  return given(from, name) ?? '';
}
