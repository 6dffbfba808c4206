import { defineRule, removal } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';

const unifiedOnlyProperties = [
  'theme',
  'resourceBehaviorOptions',
  'resourceProvisioningOptions',
  'accessType',
  'allowExternalSenders',
  'autoSubscribeNewMembers',
  'hideFromAddressLists',
  'hideFromOutlookClients',
  'isSubscribedByMail',
  'isFavorite',
  'acceptedSenders',
  'rejectedSenders',
  'expirationPolicy',
] as const;

export const groupUnifiedOnly = defineRule({
  id: 'group-unified-only',
  title: 'Properties of a mailbox and of expiration are for unified groups.',
  why: 'A security group has no mailbox and never expires; the official provider refuses most of these in the plan.',
  severity: 'error',
  source:
    'Directory rules, "What the service does" 5 and 10, "Group operations" (per-user, unified groups only), expirationDateTime',
  sections: ['groups'],
  reads: ['kind', 'groupTypes'],
  messages: { unified: '{property} is for unified groups only' },
  check({ value }, context) {
    if (isUnified(value)) return;
    for (const property of unifiedOnlyProperties) {
      if (value[property] === undefined) continue;
      context.report({
        messageId: 'unified',
        path: [property],
        at: 'key',
        parameters: { property },
        fix: removal,
      });
    }
  },
});
