import { Optional, Unsafe } from '@sinclair/typebox';
import { itemLimits as limits } from './limits.js';
import { closed, guid, list, reference, text, words } from '../schema/shapes.js';

/** A part of an item's public definition. */
export const definitionPartSchema = closed({
  path: text('The path of the part, such as eventstream.json.', { minLength: 1 }),
  payload: text('The content, in base64.'),
  payloadType: Optional(words(limits.payloadTypes, { description: 'How the content is written.', default: 'InlineBase64' })),
});

/** What eventhouses and eventstreams have in common. */
export const itemProperties = {
  workspace: reference(['workspaces'], 'The workspace that holds the item.'),
  displayName: text('The name: letters, digits, underscores, periods and hyphens.', limits.displayName),
  description: Optional(text('What the item is for.', limits.description)),
  folderId: Optional(
    Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      description: 'The folder that holds the item. Default, or null: the workspace itself.',
    }),
  ),
  tags: Optional(list(guid('The id of a tag.'), { description: 'Tags of the item, by id.' })),
  sensitivityLabelSettings: Optional(
    closed(
      {
        labelId: guid('The id of the label.'),
        sensitivityLabelApplyStrategy: Optional(
          words(limits.labelStrategies, {
            description: 'Whether creation fails when the label cannot be applied.',
            default: 'ApplyOrFail',
          }),
        ),
      },
      { description: 'The sensitivity label of the item.' },
    ),
  ),
};
