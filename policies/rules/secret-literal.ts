import { defineRule } from '../engine/rule.js';

/** A secret is referred to, never written down. */
export const secretLiteral = defineRule({
  id: 'secret-literal',
  title: 'A secret is referred to, never written down.',
  why: 'Who can read the repository, the synthesized JSON or a log could sign in as the app.',
  severity: 'error',
  source: 'spec 000, "Configuring the directory identity provider"; the cloud takes names of secrets only',
  sections: [],
  messages: {
    literal: 'a secret stands here in clear: write ${env:NAME}, secret:NAME or keyvault:URL in its place, and change the secret',
    bound:
      'the secret "{name}" stands in the synthesized JSON in clear: take a sensitive TerraformVariable or key_vault_secret_id in its place, and change the secret',
  },
});
