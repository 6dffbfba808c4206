import { defineRule } from '../../engine/rule.js';

// Rules about the limits of single values; the schema finds the mistakes.

export const groupDisplayName = defineRule({
  id: 'group-display-name',
  title: "A group's display name has 1 to 256 characters.",
  why: 'The directory refuses any other name; the official provider lets it through to the apply.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (displayName) and "Limits" 1',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['displayName'],
  messages: {
    maxLength: 'the display name has {length} characters; at most {limit} are allowed',
    minLength: 'the display name is empty; at least one character is needed',
  },
});

export const groupPreferredLanguage = defineRule({
  id: 'group-preferred-language',
  title: 'A preferred language is an ISO 639-1 code such as en or en-US.',
  why: 'The directory refuses anything else.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (preferredLanguage)',
  sections: ['groups'],
  reportsSchemaMistakesOf: [{ path: 'preferredLanguage', messageIds: { validate: 'language' } }],
  messages: {
    pattern: '"{given}" is not a language code such as en or en-US',
    language: '{words}',
  },
});

export const groupProcessingState = defineRule({
  id: 'group-processing-state',
  title: 'The processing of a membership rule is On or Paused.',
  why: 'The directory knows no other state.',
  severity: 'error',
  source:
    'Directory rules, "Group properties" (membershipRuleProcessingState) and "States and transitions"',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['dynamicMembership.processing', 'membershipRuleProcessingState'],
  messages: { enum: 'the processing state is "{given}"; allowed: {allowed}{hint}' },
});

export const groupTheme = defineRule({
  id: 'group-theme',
  title: 'A theme is Teal, Purple, Green, Blue, Pink, Orange or Red.',
  why: 'The directory knows no other colour.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (theme)',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['theme'],
  messages: { enum: 'the theme is "{given}"; allowed: {allowed}{hint}' },
});

export const itemDescription = defineRule({
  id: 'item-description',
  title: 'The description of an eventhouse or eventstream has at most 256 characters.',
  why: 'The service refuses a longer one.',
  severity: 'error',
  source: 'Items rules, "Limits" 2',
  sections: ['eventhouses', 'eventstreams'],
  reportsSchemaMistakesOf: ['description'],
  messages: { maxLength: 'the description has {length} characters; at most {limit} are allowed' },
});

export const itemDisplayName = defineRule({
  id: 'item-display-name',
  title:
    'The name of an eventhouse or eventstream has only letters, digits, underscores, periods and hyphens.',
  why: 'The service refuses any other name; the official provider checks no character and lets the empty name through.',
  severity: 'error',
  source: 'Items rules, "Create eventhouse" and "Create eventstream" (displayName)',
  sections: ['eventhouses', 'eventstreams'],
  reportsSchemaMistakesOf: ['displayName'],
  messages: {
    pattern:
      'the name "{given}" has characters that are not allowed: only letters, digits, underscores, periods and hyphens',
    minLength: 'the name is empty',
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
  },
});

export const itemLabelStrategy = defineRule({
  id: 'item-label-strategy',
  title: 'The strategy of a sensitivity label is ApplyOrFail or Ignore.',
  why: 'The service accepts no other.',
  severity: 'error',
  source: 'Items rules, "SensitivityLabelSettings"',
  sections: ['eventhouses', 'eventstreams'],
  reportsSchemaMistakesOf: ['sensitivityLabelSettings.sensitivityLabelApplyStrategy'],
  messages: { enum: 'the strategy is "{given}"; allowed: {allowed}{hint}' },
});

export const registrationUrls = defineRule({
  id: 'registration-urls',
  title:
    'The home page and the sign-out address of a registration are web addresses, the latter by HTTPS.',
  why: 'The directory reports sign-outs to this address; if it is plain HTTP or unreachable, sessions continue.',
  severity: 'error',
  source:
    'Sign-in rules, "States and transitions" (server-side sign-out); the official provider lets plain HTTP through',
  sections: ['registrations'],
  reportsSchemaMistakesOf: [
    { path: 'homepageUrl', keywords: ['validate'] },
    { path: 'logoutUrl', keywords: ['validate'] },
  ],
  // the check of an address says which of the two messages applies
  messages: {
    form: '"{given}" is not a web address (https://…)',
    scheme: '"{given}" is not HTTPS (plain HTTP is for localhost only)',
  },
});

export const workspaceName = defineRule({
  id: 'workspace-name',
  title: 'The name of a workspace has 1 to 256 characters and is not reserved.',
  why: 'The service refuses it.',
  severity: 'error',
  source: 'the official provider; Items rules, paths with workspaceId',
  sections: ['workspaces'],
  reportsSchemaMistakesOf: [{ path: 'displayName', messageIds: { validate: 'reserved' } }],
  messages: {
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
    minLength: 'the name is empty',
    pattern: 'the name has no character that is not blank',
    reserved: '{words}',
  },
});
