import { kind } from '../schema/kind.js';
import { closedObject, type Declared, text, integer } from '../schema/shapes.js';
import { tags } from '../schema/tags.js';

const logs = () =>
  closedObject(
    {
      retentionInDays: integer('How many days logs are kept.', {
        minimum: 30,
        maximum: 730,
        // a workspace of the free tier, which no environment declares, has 7 days
        terraform: {
          azurerm_log_analytics_workspace: { at: 'retention_in_days', defaultValue: 7 },
        },
        alsoAcceptedByApi: {
          values: [0, 7],
          because: 'clients write 0 where nothing is set, and the free tier has 7',
        },
      }),
    },
    { description: 'A log workspace for the environment.' },
  );

/** An environment that container apps run in, with the log workspace that it writes to. */
export const environment = kind(() => ({
  meaning: 'An environment that container apps run in.',
  terraform: {
    primary: ['azurerm_container_app_environment'],
    additional: ['azurerm_log_analytics_workspace'],
    azapi: 'Microsoft.App/managedEnvironments',
  },
  properties: {
    name: text("The environment's name in the cloud.", {
      minLength: 2,
      maxLength: 60,
      pattern: '^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$',
      patternDescription: 'only letters, digits and inner hyphens, and a letter at its beginning',
      terraform: 'name',
      lostByReplacement: 'every app in it',
    }),
    logs: logs(),
    tags: tags('Tags of the resource.', { terraform: 'tags' }),
  },
}));

/** An environment that container apps run in. */
export type EnvironmentProps = Declared<typeof environment.schema>;
