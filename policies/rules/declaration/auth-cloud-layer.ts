import type { ConfigPath } from '../../../core/yaml/layers.js';
import { defineRule } from '../../engine/rule.js';

export const authCloudLayer = defineRule({
  id: 'auth-cloud-layer',
  title:
    "The cloud's sign-in layer has no requirements by path, no required claims, and no rules for custom providers.",
  why: "Only the sandbox's layer and `castellan sidecar` enforce them: in the cloud everyone who signs in would get in. `--target azure` refuses them.",
  severity: 'warning',
  source: "The cloud's authConfigs (globalValidation, customOpenIdConnectProviders)",
  sections: ['containerApps'],
  whenDeclared: 'auth',
  messages: {
    missing:
      "the cloud's sign-in layer has no {what}: put castellan sidecar in front of the app there",
  },
  check({ value }, context) {
    const report = (what: string, path: ConfigPath): void =>
      context.report({ messageId: 'missing', path, at: 'key', parameters: { what } });
    const { requirements, providers } = value.auth ?? {};
    if (requirements !== undefined) report('requirements by path', ['auth', 'requirements']);
    if (providers?.directory?.requiredClaims !== undefined)
      report('requiredClaims', ['auth', 'providers', 'directory', 'requiredClaims']);
    for (const [name, provider] of Object.entries(providers?.openIdConnect ?? {}))
      for (const rule of ['allowedGroups', 'requiredClaims'] as const)
        if (provider?.[rule] !== undefined)
          report(`${rule} of custom providers`, ['auth', 'providers', 'openIdConnect', name, rule]);
  },
});
