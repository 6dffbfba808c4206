import { Unsafe } from '@sinclair/typebox';
import { auth } from '../auth/auth.js';
import { args, command, cpu, env, image, memory, probes } from './container.js';
import { customDomains } from './custom-domain.js';
import { additionalContainers } from './additional-containers.js';
import { ingress, trafficWeight } from './ingress.js';
import { replicas } from './replicas.js';
import { kind } from '../schema/kind.js';
import { secret, secretReference } from '../schema/secret.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  list,
  recordOf,
  reference,
  text,
  integer,
  enumOf,
} from '../schema/schema-builders.js';
import { tags } from '../schema/tags.js';

/** The limits of the suffix of a revision's name, wherever it is declared. */
const revisionSuffixLimits = {
  minLength: 1,
  maxLength: 54,
  pattern: '^[a-z](?!.*--)([a-z0-9-]*[a-z0-9])?$',
  patternDescription:
    'only lower-case letters, digits and single inner hyphens, and a letter at its beginning',
} as const;

const revision = () =>
  closedObject(
    {
      mode: enumOf(['single', 'multiple'], {
        description: 'Whether one revision is active, or several.',
        default: 'single',
        terraform: {
          at: 'revision_mode',
          valueMap: { single: 'Single', multiple: 'Multiple' },
          ignoreCase: true,
        },
        body: {
          at: 'configuration.activeRevisionsMode',
          valueMap: { single: 'Single', multiple: 'Multiple' },
          ignoreCase: true,
        },
        alsoAcceptedByApi: {
          values: ['Labels', 'labels'],
          because: 'the cloud has a third mode, in which traffic is split by label',
        },
      }),
      suffix: text("The suffix of the revision's name.", {
        ...revisionSuffixLimits,
        terraform: 'template.0.revision_suffix',
        body: 'template.revisionSuffix',
      }),
      maxInactive: integer('How many inactive revisions are kept.', {
        minimum: 0,
        maximum: 100,
        terraform: 'max_inactive_revisions',
        body: 'configuration.maxInactiveRevisions',
      }),
      traffic: list(trafficWeight(revisionSuffixLimits), {
        description: 'How traffic is split between revisions.',
        minItems: 1,
        terraform: 'ingress.0.traffic_weight',
        body: 'configuration.ingress.traffic',
      }),
    },
    { description: 'The revisions of the app.' },
  );

/**
 * The name of an identity that apps may use; no declaration has one, but the service and the
 * provider support it.
 */
export const identityName = text('The name of an identity.', {
  minLength: 3,
  maxLength: 128,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
  patternDescription:
    'only letters, digits, hyphens and underscores, and a letter or digit at its beginning',
});

const identityIdPattern =
  /^\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/[^/\s]+$/i;

function identityMistake(value: unknown): string | undefined {
  const isId = identityIdPattern.test(String(value));
  return isId
    ? undefined
    : `"${String(value)}" is not the resource id of an identity: /subscriptions/…/userAssignedIdentities/NAME`;
}

const registry = () =>
  closedObject(
    {
      server: text('The host of the registry, such as ghcr.io.', {
        pattern: '^[A-Za-z0-9.-]+(:\\d+)?$',
        patternDescription: 'the form of a host, with or without a port',
        terraform: 'server',
        body: 'server',
      }),
      username: text('The user name.', { minLength: 1, terraform: 'username', body: 'username' }),
      password: secret({ terraform: 'password_secret_name', body: 'passwordSecretRef' }),
      identity: text(
        '`system`, or the resource id of an identity of the app, instead of a password.',
        {
          minLength: 1,
          validate: (value) => (value === 'system' ? undefined : identityMistake(value)),
          referencesGeneratedId: true,
          terraform: { at: 'identity', valueMap: { system: 'System' } },
          body: { at: 'identity', valueMap: { system: 'system' }, ignoreCase: true },
        },
      ),
    },
    { description: 'A registry that images are pulled from.', required: ['server'] },
  );

const identity = () =>
  closedObject(
    {
      systemAssigned: boolean('Whether the app has a system-assigned identity.', {
        default: false,
        terraform: { at: 'type', contains: 'SystemAssigned' },
      }),
      userAssigned: list(
        text('A resource id.', {
          minLength: 1,
          validate: identityMistake,
          referencesGeneratedId: true,
        }),
        {
          description: 'Existing user-assigned identities, by resource id.',
          minItems: 1,
          terraform: 'identity_ids',
        },
      ),
    },
    { description: 'The managed identities of the app.', terraform: 'identity.0' },
  );

/** The name of the secret in which an app stores the password of a registry. */
export function registrySecretName(server: string): string {
  return `${server.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-password`;
}

const maxSecretNameLength = 253;

/** Checks the length of the names of secrets. */
function secretNameMistake(secrets: unknown): string | undefined {
  const name = Object.keys(secrets ?? {}).find(({ length }) => length > maxSecretNameLength);
  return (
    name &&
    `the name of a secret has ${name.length} characters, at most ${maxSecretNameLength} are allowed: ${name.slice(0, 20)}…`
  );
}

/** How an app runs in the local sandbox. */
const appSandbox = () =>
  closedObject(
    {
      command: Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        items: { type: 'string' },
        description: 'The command that runs the app instead of its image; it listens on $PORT.',
      }),
      build: text(
        'The folder with the Dockerfile of the image, relative to the configuration file.',
        { minLength: 1 },
      ),
      page: boolean(
        'Whether to serve a page that shows each request instead of the image, even if a container engine is available.',
      ),
      env: recordOf(text('The value.'), {
        namePattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        patternDescription: 'only letters, digits and underscores, and no digit at its beginning',
        description: 'Environment variables in the sandbox only.',
      }),
      workingDirectory: text(
        'The working directory of the command, relative to the configuration file.',
        { minLength: 1 },
      ),
    },
    { description: 'How the app runs in the local sandbox.' },
  );

/**
 * A container app, with or without its sign-in layer. The limits are those of the hosting service:
 * the official provider checks only part of them.
 */
export const containerApp = kind(() => ({
  meaning: 'A container app.',
  terraform: { resourceTypes: ['azurerm_container_app'], azapi: 'Microsoft.App/containerApps' },
  required: ['image'],
  properties: {
    name: text("The app's name in the cloud. Default: its name in this file.", {
      minLength: 2,
      maxLength: 32,
      pattern: '^[a-z](?!.*--)[a-z0-9-]*[a-z0-9]$',
      patternDescription:
        'only lower-case letters, digits and single hyphens, a letter at its beginning, and a letter or digit at its end',
      terraform: 'name',
      replacementLoses: 'the revisions of the app',
    }),
    environment: reference(
      ['environments'],
      'The environment of the app. Default: the one of the stack.',
      {
        replacementLoses: 'the revisions of the app',
      },
    ),
    image: image(),
    targetPort: integer('The port that the app listens on.', {
      minimum: 1,
      maximum: 65535,
      terraform: 'ingress.0.target_port',
      body: 'configuration.ingress.targetPort',
      alsoAcceptedByApi: { values: [0], because: 'the cloud then detects the port' },
    }),
    command: command(),
    args: args(),
    cpu,
    memory,
    replicas: replicas(),
    env: env(),
    secrets: recordOf(secretReference, {
      namePattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
      patternDescription: 'only lower-case letters, digits and inner hyphens',
      description: 'The secrets of the app by name: the source of each, never the secret itself.',
      validate: secretNameMistake,
      terraform: { at: 'secret', list: { name: 'name' } },
      body: { at: 'configuration.secrets', list: { name: 'name' } },
    }),
    registries: list(registry(), {
      description: 'Registries that images are pulled from.',
      terraform: 'registry',
      body: 'configuration.registries',
    }),
    probes: probes(),
    containers: additionalContainers(),
    ingress: ingress(),
    customDomains: customDomains(),
    revision: revision(),
    identity: identity(),
    workloadProfile: text('The workload profile of the environment on which the app runs.', {
      minLength: 1,
      terraform: 'workload_profile_name',
      body: 'workloadProfileName',
    }),
    terminationGracePeriodSeconds: integer('How many seconds a replica has to shut down.', {
      minimum: 0,
      maximum: 600,
      terraform: 'template.0.termination_grace_period_seconds',
      body: 'template.terminationGracePeriodSeconds',
    }),
    auth: auth.schema,
    sandbox: appSandbox(),
    tags: tags('Tags of the resource.', { terraform: 'tags' }),
  },
  limits: {
    /** The default maximum of replicas. */
    replicas: 10,
    /** The most characters of an app's name and the suffix of a revision together. */
    revisionName: 54,
    /** The sum of the revisions' traffic weights, in per cent. */
    traffic: 100,
  },
}));

/** A container app, with or without its sign-in layer. */
export type ContainerAppProps = DeclarationOf<typeof containerApp.schema>;
