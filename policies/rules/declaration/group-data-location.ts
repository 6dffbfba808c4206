import { publishedDataLocations } from '../../../kinds/group/locations-and-languages.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';

export const groupDataLocation = defineRule({
  id: 'group-data-location',
  title: 'A preferred data location is one of the published ones, such as EUR or NAM.',
  why: 'The directory accepts any three letters, and the data stays where the tenant keeps it.',
  severity: 'info',
  source:
    'the published data locations; Directory rules, "Group properties" (preferredDataLocation)',
  sections: ['groups'],
  reads: ['preferredDataLocation'],
  messages: { unpublished: '"{given}" is not among the published data locations{hint}' },
  check({ value: { preferredDataLocation: location } }, context) {
    if (
      typeof location !== 'string' ||
      !/^[A-Z]{3}$/.test(location) ||
      publishedDataLocations.includes(location)
    )
      return;
    const hint = didYouMean(nearest(location, publishedDataLocations));
    context.report({
      messageId: 'unpublished',
      path: ['preferredDataLocation'],
      parameters: { hint },
    });
  },
});
