import type { Static } from '@sinclair/typebox';
import { azureSchema } from './azure.js';
import { backendSchema } from './backend.js';
import { movedSchema } from './moved.js';
import { containerApp } from '../container-app/container-app.js';
import { containerAppEnvironment } from '../container-app/environment.js';
import { eventhouse } from '../eventhouse/eventhouse.js';
import { eventstream } from '../eventstream/eventstream.js';
import { group } from '../group/group.js';
import { groupLifecyclePolicy } from '../group/lifecycle-policy.js';
import { principal } from '../principal/principal.js';
import { registration } from '../registration/registration.js';
import {
  closedObject,
  type DeclarationOf,
  type DeepReadonly,
  boolean,
  list,
  recordOf,
  text,
  enumOf,
} from '../schema/schema-builders.js';
import { workspace } from '../workspace/workspace.js';

const stackSandboxSchema = closedObject(
  {
    seed: text(
      'A seed file with the objects that exist in the sandbox from the start, relative to the configuration file.',
      {
        minLength: 1,
      },
    ),
    env: recordOf(text('The value.'), {
      namePattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      patternDescription: 'only letters, digits and underscores, and no digit at its beginning',
      description: 'Values of `${env:NAME}` in the sandbox, for variables that are not set.',
    }),
  },
  { description: 'Settings for the local sandbox.' },
);

/**
 * The section of the configuration for each kind, with the schema of one declaration, which is
 * built when it is first read.
 */
export const sections = {
  get principals() {
    return principal.schema;
  },
  get registrations() {
    return registration.schema;
  },
  get environments() {
    return containerAppEnvironment.schema;
  },
  get containerApps() {
    return containerApp.schema;
  },
  get groups() {
    return group.schema;
  },
  get workspaces() {
    return workspace.schema;
  },
  get eventhouses() {
    return eventhouse.schema;
  },
  get eventstreams() {
    return eventstream.schema;
  },
};

/** A section of the configuration. */
export type Section = keyof typeof sections;

/** The schema of castellan.yaml, version 1. */
export const stackSchema = closedObject(
  {
    version: enumOf([1], { description: 'The version of the format.' }),
    stack: text('The name of the stack.', {
      pattern: '^[A-Za-z][A-Za-z0-9-]{0,62}$',
      patternDescription:
        'only letters, digits and hyphens, a letter at its beginning, and at most 63 characters',
    }),
    include: list(text('A file, or a pattern of files, relative to this file.', { minLength: 1 }), {
      description: 'Files to merge in.',
    }),
    dependsOn: list(text('The name of a stack.', { minLength: 1 }), {
      description: 'Stacks that are applied before this one.',
    }),
    moved: movedSchema,
    protected: boolean(
      'Whether `up` and `down` ask for the name of the environment (`-e`) before they change it; in CI: `--auto-approve=NAME`.',
      {
        default: false,
      },
    ),
    dialect: enumOf(['neutral', 'azure'], {
      description: "The dialect of the apps' sign-in layer in the sandbox.",
      default: 'neutral',
    }),
    engine: enumOf(['terraform', 'tofu'], {
      description:
        'The program that plans and applies: Terraform or OpenTofu. Default: CASTELLAN_ENGINE, or the one that is installed.',
    }),
    azure: azureSchema,
    backend: backendSchema,
    sandbox: stackSandboxSchema,
    principals: recordOf(() => principal.schema, {
      description: 'Users, groups and service principals that exist in the directory.',
    }),
    registrations: recordOf(() => registration.schema, {
      description: 'Application registrations for signing in.',
    }),
    environments: recordOf(() => containerAppEnvironment.schema, {
      description: 'Container app environments, which container apps run in.',
    }),
    containerApps: recordOf(() => containerApp.schema, { description: 'Container apps.' }),
    groups: recordOf(() => group.schema, { description: 'Groups of the directory.' }),
    groupLifecyclePolicy: groupLifecyclePolicy.schema,
    workspaces: recordOf(() => workspace.schema, { description: 'Workspaces.' }),
    eventhouses: recordOf(() => eventhouse.schema, { description: 'Eventhouses.' }),
    eventstreams: recordOf(() => eventstream.schema, { description: 'Eventstreams.' }),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://castellan.dev/schemas/castellan-1.json',
    title: 'castellan.yaml',
    description:
      'A stack of container apps with sign-in, registrations, groups, eventhouses and eventstreams.',
    required: ['version', 'stack'],
  },
);

/** A stack as castellan.yaml declares it (`version: 1`). */
export type StackConfig = DeclarationOf<typeof stackSchema>;
/** The local sandbox of a stack. */
export type StackSandboxProps = DeepReadonly<Static<typeof stackSandboxSchema>>;
