import { closed, list, text } from '../schema/shapes.js';

/** What an application trusts in place of a secret: tokens of another issuer. */
export const federatedCredentialSchema = closed(
  {
    name: text('The name of the credential.', { minLength: 1, maxLength: 120, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
    issuer: text('The issuer of the tokens.', { minLength: 1, maxLength: 600 }),
    audiences: list(text('An audience.', { maxLength: 600 }), { description: 'The audiences that tokens may carry.', minItems: 1 }),
  },
  { description: 'A federated identity credential of an application.', required: ['name', 'issuer', 'audiences'] },
);

/** How many of them an application may have. */
export const mostFederatedCredentials = 20;
