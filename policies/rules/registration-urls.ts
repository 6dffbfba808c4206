import { defineRule } from '../engine/rule.js';

/** The addresses of a registration can be opened. */
export const registrationUrls = defineRule({
  id: 'registration-urls',
  title: 'The home page and the sign-out address of a registration are web addresses, the latter by HTTPS.',
  why: 'The directory reports sign-outs to this address; if it is plain HTTP or unreachable, sessions continue.',
  severity: 'error',
  source: 'spec 000, "States and transitions" (server-side sign-out); the official provider lets plain HTTP through',
  sections: ['registrations'],
  reads: ['homepageUrl', 'logoutUrl'],
  messages: {
    form: '"{given}" is not a web address (https://…)',
    scheme: '"{given}" is not HTTPS (plain HTTP is for localhost only)',
  },
  check({ value }, context) {
    for (const property of ['homepageUrl', 'logoutUrl'] as const) {
      const given = value[property];
      if (typeof given !== 'string' || given.includes('${')) continue;
      const url = URL.canParse(given) ? new URL(given) : undefined;
      const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
      const report = (messageId: string): void => context.report({ messageId, path: [property], parameters: { given } });
      if (url === undefined || !isWeb) report('form');
      else if (property === 'logoutUrl' && url.protocol === 'http:' && url.hostname !== 'localhost') report('scheme');
    }
  },
});
