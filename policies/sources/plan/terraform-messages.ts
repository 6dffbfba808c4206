/**
 * The messages that say how to write something, for a reader of Terraform files: by rule and
 * message. `{type}` is the type of the resource.
 */
export const terraformMessages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app-registry': {
    none: 'the registry has neither identity nor username with password_secret_name: set one of them',
    half: 'username and password_secret_name belong together; {missing} is missing',
    both: 'identity excludes username and password_secret_name',
    system:
      'the identity of the registry is that of the app itself, which it does not have: add an identity block of type SystemAssigned',
    foreign: 'the app does not have the identity "{given}": add it to identity_ids of its identity',
  },
  'app-replicas': { order: 'min_replicas is {given}, more than max_replicas ({max})' },
  'app-secret-in-env': {
    plain:
      '{name} looks like a secret and is plain text: declare a secret of the app, and name it by secret_name in the env block',
    holds:
      '{name} holds {what} in plain text: declare a secret of the app, and name it by secret_name in the env block',
  },
  'app-secret-references': { missing: 'the app has no secret "{given}"{hint}' },
  'app-traffic': {
    revision: 'a share names its revision: latest_revision = true, or revision_suffix',
    both: 'latest_revision and revision_suffix exclude each other',
    single: 'several shares need revision_mode = "Multiple"',
    old: 'in revision_mode "Single" only the latest revision runs: set latest_revision = true, or revision_mode = "Multiple"',
  },
  'auth-directory-provider': {
    none: 'the provider has no registration.clientId',
    noSecret:
      'a client id needs clientSecretSettingName or the thumbprint of a certificate in its registration',
  },
  'auth-everyone-in-tenant': {
    everyone:
      'everyone in the tenant gets in, guests too: name groups or identities in validation.defaultAuthorizationPolicy.allowedPrincipals, or set app_role_assignment_required = true on the service principal',
  },
  'auth-external-ingress': {
    external:
      'the app has a sign-in layer, but is not reached from outside: set external_enabled = true in ingress',
  },
  'auth-public-app': {
    none: 'the app is reached from outside and has no sign-in: add an azapi_resource of type Microsoft.App/containerApps/authConfigs, or say in castellan.policy.yaml why not',
    disabled: 'the app is reached from outside and its sign-in is switched off',
    open: 'the app is reached from outside and its sign-in lets everyone in: require authentication, or say in castellan.policy.yaml why not',
  },
  'auth-shared-state': {
    keys: '{most} replicas run, but the sign-in layer has no encryptionSettings: name secrets with the keys to sign and to encrypt',
  },
  'environment-network': {
    subnet: '{setting} is true, but there is no subnet: set infrastructure_subnet_id',
  },
  'group-dynamic-rule': {
    missing: 'types has DynamicMembership, but there is no rule: add a dynamic_membership block',
  },
};
