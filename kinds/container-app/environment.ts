import { kind } from '../schema/kind.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  integer,
  list,
  text,
} from '../schema/schema-builders.js';
import { tags } from '../schema/tags.js';

const logs = () =>
  closedObject(
    {
      retentionInDays: integer('How many days logs are kept.', {
        minimum: 30,
        maximum: 730,
        // a workspace of the free tier, which no environment declares, has 7 days
        terraform: {
          azurerm_log_analytics_workspace: { at: 'retention_in_days', readAsUnset: 7 },
        },
        alsoAcceptedByApi: {
          values: [0, 7],
          because: 'clients write 0 where nothing is set, and the free tier has 7',
        },
      }),
      workspaceId: text(
        'The resource id of a log workspace that exists, instead of one of its own.',
        {
          minLength: 1,
          validate: resourceIdValidator(
            'a log workspace',
            'Microsoft.OperationalInsights/workspaces/NAME',
          ),
          referencesGeneratedId: true,
          conflictsWith: 'retentionInDays',
        },
      ),
    },
    { description: 'A log workspace for the environment.' },
  );

/** Returns a check that a text is a resource id with a path such as `Microsoft.App/things/NAME`. */
function resourceIdValidator(noun: string, path: string): (value: unknown) => string | undefined {
  const pattern = `^/subscriptions/NAME/resourceGroups/NAME/providers/${path}$`;
  const idPattern = new RegExp(pattern.replaceAll('NAME', '[^/\\s]+'), 'i');
  return (value) =>
    idPattern.test(String(value)) || String(value).includes('${')
      ? undefined
      : `"${String(value)}" is not the resource id of ${noun}: /subscriptions/…/providers/${path}`;
}

const losesEveryApp = { replacementLoses: 'every app in it' } as const;

const workloadProfile = () =>
  closedObject(
    {
      name: text('The name by which apps choose the profile.', {
        minLength: 1,
        maxLength: 15,
        pattern: '^[A-Za-z][A-Za-z0-9-]*$',
        patternDescription: 'only letters, digits and hyphens, and a letter at its beginning',
        terraform: 'name',
        body: 'name',
      }),
      type: text('The size of its machines: Consumption, D4 to D32, E4 to E32, or one with GPUs.', {
        pattern: '^[A-Za-z][A-Za-z0-9-]*$',
        patternDescription: 'the form of a type such as D4',
        terraform: 'workload_profile_type',
        body: 'workloadProfileType',
      }),
      min: integer('The minimum number of machines.', {
        minimum: 0,
        terraform: 'minimum_count',
        body: 'minimumCount',
      }),
      max: integer('The maximum number of machines.', {
        minimum: 0,
        terraform: 'maximum_count',
        body: 'maximumCount',
      }),
    },
    {
      description: 'Machines on which apps run; `Consumption` has none of its own, and no counts.',
      required: ['name', 'type'],
    },
  );

/** An environment that container apps run in, with the log workspace that it writes to. */
export const containerAppEnvironment = kind(() => ({
  meaning: 'An environment that container apps run in.',
  terraform: {
    resourceTypes: ['azurerm_container_app_environment'],
    additionalResourceTypes: ['azurerm_log_analytics_workspace'],
    azapi: 'Microsoft.App/managedEnvironments',
  },
  properties: {
    name: text("The environment's name in the cloud.", {
      minLength: 2,
      maxLength: 60,
      pattern: '^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$',
      patternDescription: 'only letters, digits and inner hyphens, and a letter at its beginning',
      terraform: 'name',
      replacementLoses: 'every app in it',
    }),
    logs: logs(),
    subnet: text('The resource id of the subnet in which the environment is.', {
      minLength: 1,
      validate: resourceIdValidator(
        'a subnet',
        'Microsoft.Network/virtualNetworks/NAME/subnets/NAME',
      ),
      referencesGeneratedId: true,
      terraform: 'infrastructure_subnet_id',
      body: 'vnetConfiguration.infrastructureSubnetId',
      ...losesEveryApp,
    }),
    internal: boolean(
      'Whether the environment has an internal load balancer only, so that apps are reached from its network alone.',
      {
        default: false,
        terraform: 'internal_load_balancer_enabled',
        body: 'vnetConfiguration.internal',
        ...losesEveryApp,
      },
    ),
    zoneRedundant: boolean('Whether the environment is spread over zones.', {
      default: false,
      terraform: 'zone_redundancy_enabled',
      body: 'zoneRedundant',
      ...losesEveryApp,
    }),
    workloadProfiles: list(workloadProfile(), {
      description: 'Machines of its own, beside those that apps share.',
      minItems: 1,
      terraform: 'workload_profile',
      body: 'workloadProfiles',
    }),
    tags: tags('Tags of the resource.', { terraform: 'tags' }),
  },
}));

/** An environment that container apps run in. */
export type EnvironmentProps = DeclarationOf<typeof containerAppEnvironment.schema>;
