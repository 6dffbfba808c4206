import { defineRule } from '../engine/rule.js';

/** The addresses of a registration can be opened. */
export const registrationUrls = defineRule({
  id: 'registration-urls',
  title: 'The home page and the sign-out address of a registration are web addresses, the latter by HTTPS.',
  why: 'The directory reports sign-outs to this address; if it is plain HTTP or unreachable, sessions continue.',
  severity: 'error',
  source: 'Sign-in rules, "States and transitions" (server-side sign-out); the official provider lets plain HTTP through',
  sections: ['registrations'],
  claims: [
    { section: 'registrations', path: 'homepageUrl', keywords: ['refuses'] },
    { section: 'registrations', path: 'logoutUrl', keywords: ['refuses'] },
  ],
  messages: {
    form: '"{given}" is not a web address (https://…)',
    scheme: '"{given}" is not HTTPS (plain HTTP is for localhost only)',
  },
});
