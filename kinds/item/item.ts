import { Unsafe } from '@sinclair/typebox';
import { metadataKeyword } from '../schema/property-metadata.js';
import {
  closedObject,
  guid,
  guidPattern,
  list,
  reference,
  text,
  enumOf,
} from '../schema/schema-builders.js';

/** A part of an item's public definition. */
export const definitionPartSchema = closedObject(
  {
    path: text('The path of the part, such as eventstream.json.', { minLength: 1 }),
    payload: text('The content, in base64.'),
    payloadType: enumOf(['InlineBase64'], {
      description: 'The encoding of the content.',
      default: 'InlineBase64',
    }),
  },
  { required: ['path', 'payload'] },
);

/**
 * The common properties of eventhouses and eventstreams (Items rules, "Limits" and the tables of
 * the operations).
 */
export const itemProperties = {
  workspace: reference(['workspaces'], 'The workspace of the item.', {
    terraform: 'workspace_id',
    api: 'workspaceId',
    replacementLoses: 'all that the item holds',
  }),
  displayName: text('The name: letters, digits, underscores, periods and hyphens.', {
    minLength: 1,
    maxLength: 123, // bytes in the official Terraform provider, characters here
    pattern: '^[A-Za-z0-9_.-]+$',
    patternDescription: 'only letters, digits, underscores, periods and hyphens',
    terraform: 'display_name',
  }),
  description: text('What the item is for.', { maxLength: 256, terraform: 'description' }),
  folderId: Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: guidPattern,
    description: 'The folder of the item. Default, or null: the workspace itself.',
    [metadataKeyword]: {
      terraform: 'folder_id',
      patternDescription: 'the form of a GUID',
      referencesGeneratedId: true,
      separateRequest: true,
    },
  }),
  tags: list(guid('The id of a tag.'), {
    description: 'Tags of the item, by id.',
    terraform: 'tags',
    separateRequest: true,
  }),
  sensitivityLabelSettings: closedObject(
    {
      labelId: guid('The id of the label.', { terraform: 'label_id' }),
      sensitivityLabelApplyStrategy: enumOf(['ApplyOrFail', 'Ignore'], {
        description: 'Whether creation fails when the label cannot be applied.',
        default: 'ApplyOrFail',
        terraform: 'apply_strategy',
      }),
    },
    {
      description: 'The sensitivity label of the item.',
      required: ['labelId'],
      terraform: {
        castellan_eventhouse: 'sensitivity_label',
        castellan_eventstream: 'sensitivity_label',
      },
      readAs: 'sensitivityLabel',
      createOnly: true,
      replacementLoses: 'all that the item holds',
    },
  ),
};

/** The properties that only the service sets on an item. */
export const itemPropertiesSetByService = {
  id: 'The id of the item.',
  type: 'The type of the item.',
  workspaceId: 'The workspace: declared as `workspace`.',
  defaultIdentity: 'The identity that the item uses.',
  sensitivityLabel: 'The label that the item carries: declared as `sensitivityLabelSettings`.',
} as const;
