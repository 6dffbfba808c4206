import { defineRule } from '../../engine/rule.js';

export const authForwardProxy = defineRule({
  id: 'auth-forward-proxy',
  title: 'Custom proxy headers are named with the custom convention, and only with it.',
  why: 'They would have no effect, or the layer would read headers without a name.',
  severity: 'error',
  source: "the cloud's authConfigs (httpSettings.forwardProxy)",
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.forwardProxy'],
  messages: {
    unused: '{property} has effect with convention: custom only',
    missing: 'convention: custom needs customHostHeaderName or customProtoHeaderName',
  },
  check({ value }, context) {
    const proxy = value.auth?.forwardProxy;
    if (proxy === undefined || proxy === null) return;
    const names = (['customHostHeaderName', 'customProtoHeaderName'] as const).filter(
      (name) => proxy[name] !== undefined,
    );
    const path = ['auth', 'forwardProxy'];
    if (proxy.convention === 'custom' && names.length === 0)
      context.report({ messageId: 'missing', path: [...path, 'convention'] });
    if (proxy.convention !== 'custom')
      for (const property of names)
        context.report({
          messageId: 'unused',
          path: [...path, property],
          at: 'key',
          parameters: { property },
        });
  },
});
