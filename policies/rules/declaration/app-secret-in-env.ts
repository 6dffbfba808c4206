import { containersOf } from '../../engine/app-containers.js';
import { defineRule } from '../../engine/rule.js';
import { secretLiteral } from './schema-rules.js';

const secretNamePattern =
  /(^|_)(PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CONNECTION_?STRING)$/i;

/** Forms of secrets that are recognized whatever the variable is called. */
const secretTextPatterns: readonly (readonly [what: string, form: RegExp])[] = [
  ['an address with a password', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@?#]*:[^\s/@?#]+@/i],
  [
    'a password or key in a connection string',
    /(^|[;\s])(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^;\s]/i,
  ],
  ['a shared access signature', /[?&]sig=[\w%+/=-]{16}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  [
    'an access token',
    /\b(gh[oprsu]_\w{36}|github_pat_\w{22}|AKIA[A-Z0-9]{16}|xox[abprs]-[\w-]{10})/,
  ],
];

export const appSecretInEnv = defineRule({
  id: 'app-secret-in-env',
  title: 'A value that is a secret, or looks like one, is declared among the secrets of the app.',
  why: 'Plain environment variables are readable in the synthesized JSON, in the state and in every description of the app.',
  severity: 'warning',
  source:
    'Sign-in rules, "Configuring the directory identity provider" 4; secrets are references, never literals',
  sections: ['containerApps'],
  messages: {
    plain:
      '{name} looks like a secret and is plain text: declare it among secrets, and write {name}: { secret: … }',
    holds:
      '{name} holds {what} in plain text: declare it among secrets, and write {name}: { secret: … }',
  },
  check({ value }, context) {
    for (const { container, path: containerPath } of containersOf(value))
      for (const [name, variable] of Object.entries(container.env ?? {})) {
        if (typeof variable !== 'string' || variable === '') continue;
        const path = [...containerPath, 'env', name];
        const secretKind = secretTextPatterns.find(([, form]) => form.test(variable))?.[0];
        if (secretNamePattern.test(name))
          context.report({ messageId: 'plain', path, parameters: { name } });
        else if (secretKind !== undefined)
          context.report({ messageId: 'holds', path, parameters: { name, what: secretKind } });
      }
  },
});

/** The rules whose findings are at secrets, or at what looks like one: no output repeats these. */
export const secretRuleIds: ReadonlySet<string> = new Set([secretLiteral.id, appSecretInEnv.id]);
