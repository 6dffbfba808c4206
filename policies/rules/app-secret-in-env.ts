import { defineRule } from '../engine/rule.js';

const secretName = /(^|_)(PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CONNECTION_?STRING)$/i;

/** A secret reaches an app as a secret, not as plain environment. */
export const appSecretInEnv = defineRule({
  id: 'app-secret-in-env',
  title: 'What is called a secret reaches an app as one of its secrets.',
  why: 'Plain environment stands in the synthesized JSON, in the state and in every description of the app, for everyone who can read it.',
  severity: 'warning',
  source: 'spec 000, "Configuring the directory identity provider" 4; secrets are references, never literals',
  sections: ['containerApps'],
  needs: 'env',
  messages: { plain: '{name} looks like a secret and is plain text: declare it among secrets, and write {name}: { secret: … }' },
  check({ value }, context) {
    for (const [name, given] of Object.entries(value.env ?? {}))
      if (typeof given === 'string' && given !== '' && secretName.test(name))
        context.report({ messageId: 'plain', path: ['env', name], parameters: { name } });
  },
});
