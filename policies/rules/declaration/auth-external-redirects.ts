import { defineRule } from '../../engine/rule.js';

/** Schemes that execute or read something in the browser's page instead of opening an address. */
const executingSchemes: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
]);

export const authExternalRedirects = defineRule({
  id: 'auth-external-redirects',
  title:
    'Sign-in and sign-out redirect outside the app only to exact HTTPS addresses or to a custom scheme.',
  why: 'An attacker who can choose the redirect target receives what the sign-in sends along.',
  severity: 'error',
  source:
    'Sign-in rules, "Endpoints" (post_logout_redirect_uri: a fully qualified URL must be in the same domain)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.allowedExternalRedirectUrls'],
  messages: {
    scheme: '"{given}" runs in the browser instead of opening a page',
    http: '"{given}" is not HTTPS (plain HTTP is for localhost only)',
    wildcard: '"{given}" has a wildcard: write each address',
    form: '"{given}" is not an address',
    twice: '"{given}" is listed twice',
  },
  check({ value }, context) {
    const urls = value.auth?.allowedExternalRedirectUrls;
    if (!Array.isArray(urls)) return;
    urls.forEach((url: unknown, index: number) => {
      if (typeof url !== 'string' || url.includes('${')) return;
      const messageId = urls.indexOf(url) < index ? 'twice' : mistakeIn(url);
      const path = ['auth', 'allowedExternalRedirectUrls', index];
      if (messageId !== undefined) context.report({ messageId, path, parameters: { given: url } });
    });
  },
});

function mistakeIn(text: string): string | undefined {
  // browsers ignore spaces before the scheme and line breaks in it, as this parser does
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol.slice(0, -1) ?? '';
  if (executingSchemes.has(scheme)) return 'scheme';
  if (text.includes('*')) return 'wildcard';
  if (url === undefined) return 'form';
  return scheme === 'http' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    ? 'http'
    : undefined;
}
