import { Optional, type Static, type TSchema } from '@sinclair/typebox';
import { azureSchema } from './azure.js';
import { backendSchema } from './backend.js';
import { containerApp } from '../container-app/container-app.js';
import { environment } from '../container-app/environment.js';
import { eventhouse } from '../eventhouse/eventhouse.js';
import { eventstream } from '../eventstream/schema.js';
import { group } from '../group/group.js';
import { groupLifecyclePolicy } from '../group/lifecycle-policy.js';
import { principal } from '../principal/principal.js';
import { registration } from '../registration/registration.js';
import { closed, type Declared, type DeepReadonly, flag, list, named, text, words } from '../schema/shapes.js';
import { workspace } from '../workspace/workspace.js';

const stackSandboxSchema = closed(
  {
    seed: Optional(text('A file of what exists in the sandbox beforehand, seen from the configuration file.', { minLength: 1 })),
    env: Optional(
      named(text('The value.'), {
        names: '^[A-Za-z_][A-Za-z0-9_]*$',
        description: 'Values of `${env:NAME}` in the sandbox, where the environment has none.',
      }),
    ),
  },
  { description: 'The local sandbox.' },
);

/** The section of the configuration that declares each kind, with the schema of one declaration. */
export const sections = {
  get principals() {
    return principal.schema;
  },
  get registrations() {
    return registration.schema;
  },
  get environments() {
    return environment.schema;
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
} as const satisfies Record<string, TSchema>;

/** A section of the configuration. */
export type Section = keyof typeof sections;

/** The whole contract of castellan.yaml, version 1. */
export const stackSchema = closed(
  {
    version: words([1], { description: 'The version of this contract.' }),
    stack: text('The name of the stack.', {
      pattern: '^[A-Za-z][A-Za-z0-9-]{0,62}$',
      form: 'only letters, digits and hyphens, a letter at its beginning, and at most 63 characters',
    }),
    include: Optional(
      list(text('A file, or a pattern of files, seen from this one.', { minLength: 1 }), { description: 'Files to merge in.' }),
    ),
    dependsOn: Optional(list(text('The name of a stack.', { minLength: 1 }), { description: 'Stacks that are applied before this one.' })),
    protected: Optional(
      flag('Whether `up` and `down` ask for the name of the environment before they change it; in CI: `--auto-approve=NAME`.', {
        default: false,
      }),
    ),
    dialect: Optional(
      words(['neutral', 'azure'], { description: "The words that the apps' sign-in layer speaks in the sandbox.", default: 'neutral' }),
    ),
    azure: Optional(azureSchema),
    backend: Optional(backendSchema),
    sandbox: Optional(stackSandboxSchema),
    principals: Optional(named(() => principal.schema, { description: 'Who already exists in the directory.' })),
    registrations: Optional(named(() => registration.schema, { description: 'Application registrations for signing in.' })),
    environments: Optional(named(() => environment.schema, { description: 'Environments that container apps run in.' })),
    containerApps: Optional(named(() => containerApp.schema, { description: 'Container apps.' })),
    groups: Optional(named(() => group.schema, { description: 'Groups of the directory.' })),
    groupLifecyclePolicy: Optional(groupLifecyclePolicy.schema),
    workspaces: Optional(named(() => workspace.schema, { description: 'Workspaces.' })),
    eventhouses: Optional(named(() => eventhouse.schema, { description: 'Eventhouses.' })),
    eventstreams: Optional(named(() => eventstream.schema, { description: 'Eventstreams.' })),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://castellan.dev/schemas/castellan-1.json',
    title: 'castellan.yaml',
    description: 'A stack of container apps with sign-in, registrations, groups, eventhouses and eventstreams.',
  },
);

/** A stack as castellan.yaml declares it (`version: 1`). */
export type StackConfig = Declared<typeof stackSchema>;
/** The local sandbox of a stack. */
export type StackSandboxProps = DeepReadonly<Static<typeof stackSandboxSchema>>;
