import { registration } from '../../../kinds/registration/registration.js';
import { defineRule } from '../../engine/rule.js';

export const registrationDisplayName = defineRule({
  id: 'registration-display-name',
  title: 'The name of a registration has at most 120 characters, so that the portal can edit it.',
  why: 'The directory takes 256 characters; the portal refuses to save any change of an application with a name longer than 120.',
  severity: 'warning',
  source: "the portal's limit of 120 characters; the directory's of 256 is in the schema",
  sections: ['registrations'],
  reads: ['displayName'],
  messages: {
    portal: 'the name has {length} characters; the portal edits names of at most {limit}',
  },
  check({ value: { displayName } }, context) {
    const { portalDisplayName } = registration.limits;
    const length = [...String(displayName)].length;
    if (length > portalDisplayName && length <= registration.properties.displayName.maxLength)
      context.report({
        messageId: 'portal',
        path: ['displayName'],
        parameters: { length, limit: portalDisplayName },
      });
  },
});
