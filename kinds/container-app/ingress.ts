import { Optional } from '@sinclair/typebox';
import { containerAppLimits as limits } from './limits.js';
import { closed, flag, list, text, whole, words } from '../schema/shapes.js';

/** One range of addresses that may, or may not, reach an app. */
const ipRestrictionSchema = closed({
  name: text('The name of the rule.', { minLength: 1 }),
  description: Optional(text('What the rule is for.')),
  action: words(['allow', 'deny'], { description: 'All rules of an app have the same action.' }),
  range: text('An address range such as 203.0.113.0/24.', { pattern: '^[0-9A-Fa-f.:]+(/\\d{1,3})?$' }),
});

const corsSchema = closed({
  allowedOrigins: list(text('An origin.', { minLength: 1 }), { description: 'Origins that may call.', minItems: 1 }),
  allowedMethods: Optional(list(text('A method.', { minLength: 1 }), { description: 'Methods that may be used.' })),
  allowedHeaders: Optional(list(text('A header.', { minLength: 1 }), { description: 'Headers that may be sent.' })),
  exposedHeaders: Optional(list(text('A header.', { minLength: 1 }), { description: 'Headers that may be read.' })),
  allowCredentials: Optional(flag('Whether credentials may be sent.', { default: false })),
  maxAgeInSeconds: Optional(whole('For how long an answer to a preflight is good.', { minimum: 0 })),
});

/** Which requests reach an app. */
export const ingressSchema = closed(
  {
    external: Optional(flag('Whether the app is reached from outside its environment.', { default: false })),
    allowInsecure: Optional(flag('Whether plain HTTP is served. Must be false with `auth`.', { default: false })),
    transport: Optional(words(['auto', 'http', 'http2', 'tcp'], { description: 'The protocol that the app speaks.', default: 'auto' })),
    exposedPort: Optional(whole('The port on the outside, for transport tcp.', limits.port)),
    clientCertificateMode: Optional(words(['require', 'accept', 'ignore'], { description: 'Whether clients show a certificate.' })),
    ipRestrictions: Optional(list(ipRestrictionSchema, { description: 'Address ranges that may, or may not, reach the app.' })),
    cors: Optional(corsSchema),
  },
  { description: 'Which requests reach the app.' },
);

/** How traffic is split between revisions. */
export const trafficSchema = closed({
  latest: Optional(flag('The share of the latest revision.')),
  revision: Optional(text('The suffix of the revision that gets the share.', limits.revisionSuffix)),
  weight: whole('The share in per cent; all shares add up to 100.', {
    minimum: limits.trafficWeight.minimum,
    maximum: limits.trafficWeight.maximum,
  }),
  label: Optional(
    text('A label under which the revision is reached by itself.', { pattern: '^[a-z]([a-z0-9-]*[a-z0-9])?$', maxLength: 63 }),
  ),
});
