import { Construct, TerraformStack, TerraformVariable } from './cdktf.js';
import { cloudSettings } from './cloud-settings.js';

const scopeId = 'variables';

/**
 * The sensitive Terraform variable that carries a secret of the environment into the stack: `CODEHOST_SECRET` is fed by
 * `TF_VAR_CODEHOST_SECRET`. One a stack and name, so that a secret may be used in several places.
 *
 * @returns a token; the secret itself is nowhere in the synthesized stack.
 */
export function secretVariable(scope: Construct, name: string): string {
  const stack = TerraformStack.of(scope);
  const variables = stack.node.tryFindChild(scopeId) ?? new Construct(stack, scopeId);
  const existing = variables.node.tryFindChild(name);
  if (existing instanceof TerraformVariable) return existing.stringValue as string;
  const variable = new TerraformVariable(variables as Construct, name, {
    type: 'string',
    sensitive: true,
    // the sandbox runs without any account: what isn't given is a word that opens nothing
    ...(cloudSettings(scope).sandbox === undefined ? {} : { default: 'not-set-in-the-sandbox' }),
    description: `Fed by the environment variable TF_VAR_${name}.`,
  });
  variable.overrideLogicalId(name);
  return variable.stringValue as string;
}
