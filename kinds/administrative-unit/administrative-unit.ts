import { closedObject, text, enumOf } from '../schema/schema-builders.js';

/**
 * An administrative unit of the directory: people, groups and devices that certain administrators
 * manage.
 */
export const administrativeUnitSchema = closedObject(
  {
    displayName: text('The name of the unit.', { minLength: 1, maxLength: 256 }),
    visibility: enumOf(['Public', 'HiddenMembership'], {
      description: 'Whether its members are visible to others.',
    }),
  },
  { description: 'An administrative unit of the directory.', required: ['displayName'] },
);
