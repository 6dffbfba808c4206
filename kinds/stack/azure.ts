import { Unsafe } from '@sinclair/typebox';
import { withMetadata } from '../schema/property-metadata.js';
import { closedObject, type DeclarationOf, guid, text } from '../schema/schema-builders.js';
import { tags } from '../schema/tags.js';

const groupName = {
  minLength: 1,
  maxLength: 90,
  pattern: '^[-\\w._()]*[-\\w_()]$',
  patternDescription:
    'only letters, digits, hyphens, underscores, parentheses and periods, and no period at its end',
} as const;

const resourceGroup = () =>
  Unsafe<string | { existing: string }>({
    type: ['string', 'object'],
    description:
      'The resource group: the name of one that is created, or `{ existing: name }` for one that exists.',
    ...withMetadata({ ...groupName, replacementLoses: 'everything in the resource group' }),
    properties: { existing: text('The name of a resource group that exists already.', groupName) },
    required: ['existing'],
    additionalProperties: false,
  });

/** The location and the common settings of a stack's cloud resources. */
export const azureSchema = closedObject(
  {
    location: text('The region, such as westeurope.', {
      pattern: '^[A-Za-z0-9 ]+$',
      patternDescription: 'only letters, digits and blanks',
      replacementLoses: 'everything in the resource group',
    }),
    resourceGroup: resourceGroup(),
    tenantId: guid('The tenant of the directory.'),
    subscriptionId: guid('The subscription.'),
    tags: tags('Tags for every resource that supports tags.'),
  },
  { description: 'The location and settings of the stack in the cloud.' },
);

/** Where in the cloud a stack is. */
export type AzureProps = DeclarationOf<typeof azureSchema>;
