import { block, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { notEmpty, oneOf } from '../checks.js';
import { applicationId, claimProperties } from './names.js';
import type { ResourceSchema } from '../schema.js';

/** The resource azuread_application_optional_claims. */
export const applicationOptionalClaims: ResourceSchema = {
  version: 0,
  attributes: { application_id: required('string', { forceNew: true, checks: [applicationId] }), id: optionalComputed('string') },
  blocks: {
    access_token: block(
      'list',
      {
        additional_properties: optional(['list', 'string'], { checks: [oneOf(...claimProperties)] }),
        essential: optional('bool', { default: false }),
        name: required('string', { checks: [notEmpty] }),
        source: optional('string', { checks: [oneOf('user')] }),
      },
      { atLeastOneOf: ['access_token', 'id_token', 'saml2_token'] },
    ),
    id_token: block(
      'list',
      {
        additional_properties: optional(['list', 'string'], { checks: [oneOf(...claimProperties)] }),
        essential: optional('bool', { default: false }),
        name: required('string', { checks: [notEmpty] }),
        source: optional('string', { checks: [oneOf('user')] }),
      },
      { atLeastOneOf: ['access_token', 'id_token', 'saml2_token'] },
    ),
    saml2_token: block(
      'list',
      {
        additional_properties: optional(['list', 'string'], { checks: [oneOf(...claimProperties)] }),
        essential: optional('bool', { default: false }),
        name: required('string', { checks: [notEmpty] }),
        source: optional('string', { checks: [oneOf('user')] }),
      },
      { atLeastOneOf: ['access_token', 'id_token', 'saml2_token'] },
    ),
    ...timeoutsBlock(),
  },
};
