import { defineRule } from '../../engine/rule.js';

export const appCors = defineRule({
  id: 'app-cors',
  title: 'Origins that may send credentials are named one by one, and origins have no path.',
  why: 'With a wildcard, every page on the internet could act as the signed-in person. Browsers refuse the combination.',
  severity: 'error',
  source: 'Sign-in rules, "Endpoints" (using a session from a browser app); the Fetch standard',
  sections: ['containerApps'],
  whenDeclared: 'ingress',
  reportsSchemaMistakesOf: [
    {
      path: 'ingress.cors.allowedOrigins.*',
      keywords: ['validate'],
      messageIds: { validate: 'origin' },
    },
  ],
  reads: ['ingress.cors'],
  messages: {
    credentials:
      'allowCredentials with the origin "*" lets every page act as the signed-in person: list the origins',
    origin: '"{given}" is not an origin such as https://app.example',
  },
  check({ value }, context) {
    const cors = value.ingress?.cors;
    if (!Array.isArray(cors?.allowedOrigins)) return;
    if (cors.allowCredentials === true && cors.allowedOrigins.includes('*'))
      context.report({
        messageId: 'credentials',
        path: ['ingress', 'cors', 'allowCredentials'],
        parameters: { given: true },
      });
  },
});
