import { isIP } from 'node:net';
import { closedObject, boolean, list, text, integer, enumOf } from '../schema/schema-builders.js';

/** A range of addresses that is allowed or denied. */
const ipRestriction = () =>
  closedObject(
    {
      name: text('The name of the rule.', { minLength: 1, terraform: 'name', body: 'name' }),
      description: text('What the rule is for.', { terraform: 'description', body: 'description' }),
      action: enumOf(['allow', 'deny'], {
        description: 'All rules of an app have the same action.',
        terraform: { at: 'action', valueMap: { allow: 'Allow', deny: 'Deny' } },
        body: { at: 'action', valueMap: { allow: 'Allow', deny: 'Deny' }, ignoreCase: true },
      }),
      range: text('An address range such as 203.0.113.0/24.', {
        pattern: '^[0-9A-Fa-f.:]+(/\\d{1,3})?$',
        patternDescription: 'the form of an address range such as 203.0.113.0/24',
        validate: rangeMistake,
        terraform: 'ip_address_range',
        body: 'ipAddressRange',
      }),
    },
    { required: ['name', 'action', 'range'] },
  );

const cors = () =>
  closedObject(
    {
      allowedOrigins: list(text('An origin.', { minLength: 1, validate: originMistake }), {
        description: 'Origins that may call.',
        minItems: 1,
        terraform: 'allowed_origins',
        body: 'allowedOrigins',
      }),
      allowedMethods: list(text('A method.', { minLength: 1 }), {
        description: 'Methods that may be used.',
        terraform: 'allowed_methods',
        body: 'allowedMethods',
      }),
      allowedHeaders: list(text('A header.', { minLength: 1 }), {
        description: 'Headers that may be sent.',
        terraform: 'allowed_headers',
        body: 'allowedHeaders',
      }),
      exposedHeaders: list(text('A header.', { minLength: 1 }), {
        description: 'Headers that may be read.',
        terraform: 'exposed_headers',
        body: 'exposeHeaders',
      }),
      allowCredentials: boolean('Whether credentials may be sent.', {
        default: false,
        terraform: 'allow_credentials_enabled',
        body: 'allowCredentials',
      }),
      maxAgeInSeconds: integer('How many seconds a preflight answer may be cached.', {
        minimum: 0,
        terraform: 'max_age_in_seconds',
        body: 'maxAge',
      }),
    },
    {
      description: 'Cross-origin requests that browsers may send (CORS).',
      required: ['allowedOrigins'],
      terraform: 'cors.0',
      body: 'corsPolicy',
    },
  );

/** Which requests reach an app. */
export const ingress = () =>
  closedObject(
    {
      external: boolean('Whether the app can be reached from outside its environment.', {
        default: false,
        terraform: 'external_enabled',
        body: 'external',
      }),
      allowInsecure: boolean('Whether plain HTTP is served. Must be false with `auth`.', {
        default: false,
        terraform: 'allow_insecure_connections',
        body: 'allowInsecure',
      }),
      transport: enumOf(['auto', 'http', 'http2', 'tcp'], {
        description: 'The protocol that the app speaks.',
        default: 'auto',
        terraform: 'transport',
        body: { at: 'transport', ignoreCase: true },
      }),
      exposedPort: integer('The exposed port, for transport tcp.', {
        minimum: 1,
        maximum: 65535,
        terraform: { at: 'exposed_port', readAsUnset: 0 },
        body: 'exposedPort',
        alsoAcceptedByApi: { values: [0], because: 'clients write it where nothing is set' },
      }),
      clientCertificateMode: enumOf(['require', 'accept', 'ignore'], {
        description: 'Whether clients must or may present a certificate.',
        terraform: 'client_certificate_mode',
        body: { at: 'clientCertificateMode', ignoreCase: true },
      }),
      ipRestrictions: list(ipRestriction(), {
        description: 'Address ranges that are allowed or denied.',
        terraform: 'ip_security_restriction',
        body: 'ipSecurityRestrictions',
      }),
      cors: cors(),
    },
    {
      description: 'Which requests reach the app.',
      terraform: 'ingress.0',
      body: 'configuration.ingress',
    },
  );

/** The share of traffic that one revision gets; its suffix names it. */
export const trafficWeight = (suffix: {
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
}) =>
  closedObject(
    {
      latest: boolean('Whether this is the share of the latest revision.', {
        terraform: 'latest_revision',
        body: 'latestRevision',
      }),
      revision: text('The suffix of the revision that gets the share.', {
        ...suffix,
        terraform: 'revision_suffix',
        body: { at: 'revisionName', after: '--' },
      }),
      weight: integer('The share in per cent; all shares add up to 100.', {
        minimum: 0,
        maximum: 100,
        terraform: 'percentage',
        body: 'weight',
      }),
      label: text('A label under which this revision alone can be reached.', {
        pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$',
        maxLength: 63,
        patternDescription:
          'only lower-case letters, digits and inner hyphens, and a letter at its beginning',
        terraform: 'label',
        body: 'label',
      }),
    },
    { required: ['weight'] },
  );

/** The official provider accepts IPv4 addresses only. */
function rangeMistake(value: unknown): string | undefined {
  if (String(value).includes('${')) return undefined;
  const [address = '', prefix, ...otherParts] = String(value).split('/');
  const isRange =
    isIP(address) === 4 &&
    otherParts.length === 0 &&
    (prefix === undefined || Number(prefix) <= 32);
  return isRange ? undefined : `"${String(value)}" is not an address range such as 203.0.113.0/24`;
}

function originMistake(value: unknown): string | undefined {
  const isOrigin =
    value === '*' || String(value).includes('${') || /^https?:\/\/[^/\s?#@]+$/.test(String(value));
  return isOrigin ? undefined : `"${String(value)}" is not an origin such as https://app.example`;
}
