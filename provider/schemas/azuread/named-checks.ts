import { guidRegexSource } from '../../../core/values/guid.js';
import { group } from '../../../kinds/group/group.js';
import { registration } from '../../../kinds/registration/registration.js';
import { matches, oneOf } from '../checks.js';
import type { Check } from '../schema.js';

/**
 * The official provider's check of a nickname. The directory checks length and other characters.
 */
export const mailNickname: Check = (value, name) =>
  /[@()\\[\]";:<>, ]/.test(String(value))
    ? `\`${name}\` contains invalid characters: @ ( ) \\ [ ] " ; : < > , and spaces are not allowed`
    : undefined;

/** A behavior of a unified group. */
export const groupBehavior = oneOf(...group.properties.resourceBehaviorOptions.items.enum);

/** The official provider's limit. */
const maxClaimValueLength = 249;

/** The value of an app role or permission scope. */
export const claimValue: Check = (value, name) => {
  const text = String(value);
  if (text.length > maxClaimValueLength)
    return `"${name}" must be at most ${maxClaimValueLength} characters long, got ${text.length}`;
  if (text.startsWith('.')) return `"${name}" must not begin with a period`;
  return /^[\w!#$%&'()*+,\-./:;=?@[\]^{|}~`]*$/.test(text)
    ? undefined
    : `"${name}" contains characters that are not allowed in a claim`;
};

/** An additional property of an optional claim. */
export const claimProperty = oneOf(
  'cloud_displayname',
  'dns_domain_and_sam_account_name',
  'emit_as_roles',
  'include_externally_authenticated_upn',
  'include_externally_authenticated_upn_without_hash',
  'max_size_limit',
  'netbios_domain_and_sam_account_name',
  'on_premise_security_identifier',
  'sam_account_name',
  'use_guid',
);

const { maxLength } = registration.properties.redirectUris.items;

/**
 * A redirect URI with one of the schemes: needs a host and a path; `urn:` of three parts if
 * allowed.
 */
function redirectUri(schemes: readonly string[], options: { readonly urn: boolean }): Check {
  return (value, name) => {
    const text = String(value);
    if (text.length > maxLength) return `"${name}" must be at most ${maxLength} characters long`;
    if (options.urn && /^urn:[^:]+:.+$/.test(text)) return undefined;
    const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(text);
    if (parts === null || !schemes.includes((parts[1] ?? '').toLowerCase()))
      return `expected "${name}" to have a url with schema of: "${schemes.join(',')}", got ${text}`;
    if (parts[2] === '') return `expected "${name}" to have a host, got ${text}`;
    return parts[3] === ''
      ? `URI must have a trailing slash when there is no path segment: ${text}`
      : undefined;
  };
}

/** A redirect URI of a web application. */
export const webRedirectUri = redirectUri(['http', 'https', 'ms-appx-web', 'brk-multihub'], {
  urn: true,
});
/** A redirect URI of a single-page application. */
export const spaRedirectUri = redirectUri(['http', 'https', 'ms-appx-web', 'brk-multihub'], {
  urn: false,
});

/** Any URI with a scheme. */
export const anyRedirectUri: Check = (value, name) => {
  const text = String(value);
  if (text.length > maxLength) return `"${name}" must be at most ${maxLength} characters long`;
  return /^[a-z][a-z0-9+.-]*:.+/i.test(text)
    ? undefined
    : `expected "${name}" to be a URI with a scheme, got ${text}`;
};

/** The id attribute of an application (not its object id): `/applications/<uuid>`. */
export const applicationId = matches(
  new RegExp(`^/applications/${guidRegexSource}$`),
  'must have the form /applications/<uuid>: the `id` of the application, not its `object_id`',
);
/** The id attribute of a service principal, or its object id. */
export const servicePrincipalId = matches(
  new RegExp(`^(/servicePrincipals/)?${guidRegexSource}$`),
  'must have the form /servicePrincipals/<uuid>: the `id` of the service principal',
);

/** Anything that looks like an e-mail address. */
export const emailAddress = matches(/^[^@\s]+@[^@\s]+$/, 'must look like an e-mail address');
