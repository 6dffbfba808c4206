import { Optional, Unsafe } from '@sinclair/typebox';
import { containerAppLimits as limits } from './limits.js';
import { authSchema } from '../auth/schema.js';
import { cpuSchema, environmentVariablesSchema, memorySchema, probesSchema, secretsSchema } from './container.js';
import { ingressSchema, trafficSchema } from './ingress.js';
import { secretReference } from '../schema/secret.js';
import { tags } from '../schema/tags.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, list, named, reference, text, whole, words } from '../schema/shapes.js';

const replicasSchema = closed(
  {
    min: Optional(whole('The fewest replicas.', limits.minReplicas)),
    max: Optional(whole('The most replicas.', { minimum: limits.maxReplicas.minimum, maximum: limits.maxReplicas.maximum })),
    cooldownSeconds: Optional(whole('Seconds of quiet before the last replicas go.', limits.cooldownSeconds)),
    pollingSeconds: Optional(whole('Seconds between two looks at the scale rules.', { minimum: 1 })),
    concurrentRequests: Optional(whole('How many requests at once one replica is for.', { minimum: 1 })),
  },
  { description: 'How many replicas run.' },
);

const revisionSchema = closed(
  {
    mode: Optional(words(['single', 'multiple'], { description: 'Whether one revision runs, or several.', default: 'single' })),
    suffix: Optional(text('The end of the name of the revision.', limits.revisionSuffix)),
    maxInactive: Optional(whole('How many inactive revisions are kept.', limits.maxInactiveRevisions)),
    traffic: Optional(list(trafficSchema, { description: 'How traffic is split between revisions.', minItems: 1 })),
  },
  { description: 'The revisions of the app.' },
);

const registrySchema = closed(
  {
    server: text('The host of the registry, such as ghcr.io.', { pattern: '^[A-Za-z0-9.-]+(:\\d+)?$' }),
    username: Optional(text('The user name.', { minLength: 1 })),
    password: Optional(secretReference),
    identity: Optional(text('`system`, or the resource id of an identity of the app, in place of a password.', { minLength: 1 })),
  },
  { description: 'A registry that images are pulled from.' },
);

const identitySchema = closed(
  {
    systemAssigned: Optional(flag('Whether the app has an identity of its own.', { default: false })),
    userAssigned: Optional(
      list(text('A resource id.', { minLength: 1 }), { description: 'Identities that exist already, by resource id.', minItems: 1 }),
    ),
  },
  { description: 'The managed identities of the app.' },
);

/** How an app runs in the local sandbox. */
export const appSandboxSchema = closed(
  {
    command: Optional(
      Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        items: { type: 'string' },
        description: 'The command that serves the app in place of its image; it listens on $PORT.',
      }),
    ),
    env: Optional(named(text('The value.'), { names: '^[A-Za-z_][A-Za-z0-9_]*$', description: 'Environment in the sandbox only.' })),
    workingDirectory: Optional(text('Where the command runs, seen from the configuration file.', { minLength: 1 })),
  },
  { description: 'How the app runs in the local sandbox.' },
);

/** A container app and its sign-in layer. */
export const containerAppSchema = closed(
  {
    name: Optional(text("The app's name in the cloud. Default: its name in this file.", limits.name)),
    environment: Optional(reference(['environments'], 'The environment that the app runs in. Default: the one of the stack.')),
    image: text('The container image.', { pattern: '^[^\\s]+$' }),
    targetPort: Optional(whole('The port that the app listens on.', limits.port)),
    command: Optional(list(text('A word.'), { description: 'The command, in place of that of the image.', minItems: 1 })),
    args: Optional(list(text('A word.'), { description: 'Arguments, in place of those of the image.', minItems: 1 })),
    cpu: Optional(cpuSchema),
    memory: Optional(memorySchema),
    replicas: Optional(replicasSchema),
    env: Optional(environmentVariablesSchema),
    secrets: Optional(secretsSchema),
    registries: Optional(list(registrySchema, { description: 'Registries that images are pulled from.' })),
    probes: Optional(probesSchema),
    ingress: Optional(ingressSchema),
    revision: Optional(revisionSchema),
    identity: Optional(identitySchema),
    workloadProfile: Optional(text("The environment's workload profile to run on.", { minLength: 1 })),
    terminationGracePeriodSeconds: Optional(whole('Seconds that a replica has to end.', limits.terminationGracePeriodSeconds)),
    auth: Optional(authSchema),
    sandbox: Optional(appSandboxSchema),
    tags: Optional(tags('Tags of the resource.')),
  },
  { description: 'A container app.' },
);

/** The environment that container apps run in. */
export const environmentSchema = closed(
  {
    name: Optional(text("The environment's name in the cloud.", limits.environmentName)),
    logs: Optional(
      closed(
        { retentionInDays: Optional(whole('For how many days logs are kept.', limits.logRetentionInDays)) },
        { description: 'A log workspace for the environment.' },
      ),
    ),
    tags: Optional(tags('Tags of the resource.')),
  },
  { description: 'An environment that container apps run in.' },
);

/** A container app, with or without its sign-in layer. */
export type ContainerAppProps = Declared<typeof containerAppSchema>;
/** An environment that container apps run in. */
export type EnvironmentProps = Declared<typeof environmentSchema>;
