import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../../core/findings/finding.js';
import { runCheck } from '../../../../policies/check/run-check.js';
import { withTerraformNames } from '../../../../policies/sources/plan/terraform-names.js';
import { rules } from '../../../../policies/rules/index.js';
import { renderMessage } from '../../../../policies/engine/rule.js';

const official = join(__dirname, 'official');

const translatedMessage = (
  address: string,
  ruleId: string,
  messageId: string,
  { path, parameters = {}, fix }: { path: string; parameters?: object; fix?: string },
) => {
  const template = rules.find(({ id }) => id === ruleId)?.messages[messageId] ?? '?';
  const finding = {
    ruleId,
    messageId,
    parameters,
    verdict: 'fail',
    message: renderMessage(template, parameters as Record<string, unknown>),
    terraformAddress: address,
    path: path.split('.'),
    ...(fix !== undefined && { fix: { description: fix, path: path.split('.') } }),
  } as unknown as Finding;
  const { message, fix: translated } = withTerraformNames(finding);
  return translated === undefined ? message : [message, translated.description];
};

describe('the words of findings about resources that castellan did not write', () => {
  it.each<[string, Parameters<typeof translatedMessage>, string | readonly string[]]>([
    [
      'an attribute with another name',
      [
        'azurerm_container_app.web',
        'auth-allow-insecure',
        'insecure',
        { path: 'containerApps.web.ingress.allowInsecure', fix: 'write allowInsecure: false' },
      ],
      [
        'the app has auth, which is for HTTPS only: allow_insecure_connections must be false',
        'write allow_insecure_connections = false',
      ],
    ],
    [
      'a number that is moved',
      [
        'module.a.azurerm_container_app.web[0]',
        'app-replicas',
        'order',
        {
          path: 'containerApps.web.replicas.min',
          parameters: { given: 3, max: 2 },
          fix: 'write 2',
        },
      ],
      ['min_replicas is 3, more than max_replicas (2)', 'write min_replicas = 2'],
    ],
    [
      'a provider in the cloud’s words',
      [
        'azapi_resource.auth',
        'auth-redirect-target',
        'missing',
        {
          path: 'containerApps.web.auth.redirectTo',
          parameters: { given: 'codehost', allowed: ['directory'], hint: '' },
          fix: 'write directory',
        },
      ],
      [
        '"gitHub" is not an enabled provider of this app; enabled: azureActiveDirectory',
        'write redirectToProvider = "azureactivedirectory"',
      ],
    ],
    [
      'a value with its attribute',
      [
        'azuread_group.a',
        'group-role-assignable',
        'security',
        { path: 'groups.a.securityEnabled', parameters: {} },
      ],
      'a role-assignable group must be security-enabled: write security_enabled = true',
    ],
    [
      'a text in quotes, which stays',
      [
        'azuread_group.a',
        'group-mail-nickname',
        'pattern',
        { path: 'groups.a.mailNickname', parameters: { given: 'mailNickname: 2' } },
      ],
      expect.stringContaining('"mailNickname: 2"') as string,
    ],
  ])('%s', (_name, args, expected) => {
    expect(translatedMessage(...args)).toEqual(expected);
  });

  it('have no property of castellan.yaml in plans of the official providers', async () => {
    for (const name of readdirSync(official)) {
      const plan = join(official, name, 'plan.json');
      if (!readdirSync(join(official, name)).includes('plan.json')) continue;
      const { findings } = await runCheck({ paths: [], cwd: official, env: {}, plan });
      for (const { message, fix } of findings) {
        const text = `${message} ${fix?.description ?? ''}`.replace(/"[^"]*"/g, '');
        expect(text).not.toMatch(
          /\b(allowInsecure|blobStorage|targetPort|codehost|minReplicas|securityEnabled|castellan-ignore)\b|\b[a-z]\w*: (true|false|\d)/,
        );
      }
    }
  });
});
