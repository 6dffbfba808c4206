import { appRoles, permissionScopes } from './application.js';
import { passwordAttributes } from './application-parts.js';
import {
  block,
  computed,
  optional,
  optionalComputed,
  required,
  timeoutsBlock,
  dataOf,
  foundByOne,
  manyFoundByOne,
  listOf,
  typeOfBlock,
} from '../build.js';
import { httpUrl, length, notEmpty, oneOf, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';
import { servicePrincipalId } from './names.js';

const features = block(
  'list',
  {
    custom_single_sign_on_app: optional('bool'),
    enterprise_application: optional('bool'),
    gallery_application: optional('bool'),
    visible_to_users: optional('bool', { default: true }),
  },
  { computed: true, conflictsWith: ['feature_tags', 'tags'] },
);

/** The resource azuread_service_principal. */
export const servicePrincipal: ResourceSchema = {
  version: 1,
  attributes: {
    account_enabled: optional('bool', { default: true }),
    alternative_names: optional(['set', 'string']),
    app_role_assignment_required: optional('bool'),
    app_role_ids: computed(['map', 'string']),
    app_roles: computed(appRoles),
    application_tenant_id: computed('string'),
    client_id: required('string', { forceNew: true, checks: [uuid] }),
    description: optional('string', { checks: [length(0, 1024)] }),
    display_name: computed('string'),
    homepage_url: computed('string'),
    id: optionalComputed('string'),
    login_url: optional('string', { checks: [httpUrl] }),
    logout_url: computed('string'),
    notes: optional('string', { checks: [length(0, 1024)] }),
    notification_email_addresses: optional(['set', 'string'], { checks: [notEmpty] }),
    oauth2_permission_scope_ids: computed(['map', 'string']),
    oauth2_permission_scopes: computed(permissionScopes),
    object_id: computed('string'),
    owners: optional(['set', 'string'], { checks: [uuid] }),
    preferred_single_sign_on_mode: optional('string', { checks: [oneOf('oidc', 'password', 'saml', 'notSupported')] }),
    redirect_uris: computed(['list', 'string']),
    saml_metadata_url: computed('string'),
    service_principal_names: computed(['list', 'string']),
    sign_in_audience: computed('string'),
    tags: optionalComputed(['set', 'string'], { conflictsWith: ['features', 'feature_tags'] }),
    type: computed('string'),
    use_existing: optional('bool'),
  },
  blocks: {
    feature_tags: block(
      'list',
      { custom_single_sign_on: optional('bool'), enterprise: optional('bool'), gallery: optional('bool'), hide: optional('bool') },
      { computed: true, conflictsWith: ['features', 'tags'] },
    ),
    features,
    saml_single_sign_on: block('list', { relay_state: optional('string') }, { max: 1 }),
    ...timeoutsBlock(),
  },
};

/** The resource azuread_service_principal_password. */
export const servicePrincipalPassword: ResourceSchema = {
  version: 1,
  attributes: {
    display_name: optionalComputed('string', { forceNew: true }),
    ...passwordAttributes,
    service_principal_id: required('string', { forceNew: true, checks: [servicePrincipalId] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};

/** The resource azuread_app_role_assignment. */
export const appRoleAssignment: ResourceSchema = {
  version: 1,
  attributes: {
    app_role_id: required('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    principal_display_name: computed('string'),
    principal_object_id: required('string', { forceNew: true, checks: [uuid] }),
    principal_type: computed('string'),
    resource_display_name: computed('string'),
    resource_object_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};

/** The data source azuread_service_principal. */
export const servicePrincipalData = dataOf(
  servicePrincipal,
  {
    ...foundByOne({ client_id: uuid, display_name: notEmpty, object_id: uuid }),
    features: computed(typeOfBlock(features), { deprecated: true }),
  },
  ['owners', 'use_existing'],
);

/** The data source azuread_service_principals. */
export const servicePrincipalsData: ResourceSchema = {
  version: 0,
  attributes: {
    ...manyFoundByOne({ client_ids: uuid, display_names: notEmpty, object_ids: uuid }),
    service_principals: computed(
      listOf({
        account_enabled: 'bool',
        app_role_assignment_required: 'bool',
        application_tenant_id: 'string',
        client_id: 'string',
        display_name: 'string',
        object_id: 'string',
        preferred_single_sign_on_mode: 'string',
        saml_metadata_url: 'string',
        service_principal_names: ['list', 'string'],
        sign_in_audience: 'string',
        tags: ['list', 'string'],
        type: 'string',
      }),
    ),
  },
  blocks: timeoutsBlock('read'),
};
