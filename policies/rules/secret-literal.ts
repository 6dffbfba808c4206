import { defineRule } from '../engine/rule.js';

/** Secrets are references, never literals. */
export const secretLiteral = defineRule({
  id: 'secret-literal',
  title: 'Secrets are references, never literals.',
  why: 'Anyone who can read the repository, the synthesized JSON or a log could sign in as the app.',
  severity: 'error',
  source: 'Sign-in rules, "Configuring the directory identity provider"; the cloud takes names of secrets only',
  sections: [],
  messages: {
    literal: 'the secret is written in clear: write ${env:NAME}, secret:NAME or keyvault:URL instead, and change the secret',
    bound:
      'the secret "{name}" is in the synthesized JSON in clear: use a sensitive TerraformVariable or key_vault_secret_id instead, and change the secret',
  },
});
