import { computed, optional, optionalComputed, required } from '../build.js';
import { notEmpty, uuid } from '../checks.js';
import type { ResourceSchema } from '../schema.js';

const template = ['template', 'template_id'];

/** A setting made from a template: of one group, or of the whole tenant where no group is named. */
export const groupSettings: ResourceSchema = {
  version: 0,
  description:
    'A directory setting made from a template, such as Group.Unified (classification list, guests, creation) or Group.Unified.Guest.',
  attributes: {
    id: computed('string', { description: 'The setting, or <group>/<setting> where it belongs to a group. Import takes the same.' }),
    group_object_id: optional('string', {
      forceNew: true,
      checks: [uuid],
      description: 'The group that the setting is for. Default: the whole tenant.',
    }),
    template: optionalComputed('string', {
      forceNew: true,
      checks: [notEmpty],
      exactlyOneOf: template,
      description: 'The name of the template.',
    }),
    template_id: optionalComputed('string', {
      forceNew: true,
      checks: [uuid],
      exactlyOneOf: template,
      description: 'The id of the template.',
    }),
    values: required(['map', 'string'], {
      description: "Values by name, all as text. Names that are left out get the template's default.",
    }),
    setting_id: computed('string', { description: 'The id of the setting alone.' }),
  },
};
