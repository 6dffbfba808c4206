import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type TerraformStack } from '../internal/cdktf.js';

/** Terraform JSON: resources by type and name, and the other blocks of a stack. */
export interface TerraformJson {
  /** Resources: by type, then by name. */
  readonly resource?: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;
  /** Data sources: by type, then by name. */
  readonly data?: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;
  /** Every other block of the stack: `provider`, `terraform`, `output`, … */
  readonly [key: string]: unknown;
}

/**
 * The Terraform JSON of a stack, as `cdktf synth` writes it into the folder of the stack's app: for
 * tests of your own.
 *
 * @throws the errors of constructs and checks.
 * @example
 * const stack = new Shop(new App({ outdir: mkdtempSync('shop-') }));
 * expect(synthesized(stack).resource?.azuread_group).toHaveProperty('admins');
 */
export function synthesized(stack: TerraformStack): TerraformJson {
  const app = App.of(stack);
  app.synth();
  return JSON.parse(
    readFileSync(join(app.outdir, 'stacks', stack.node.id, 'cdk.tf.json'), 'utf8'),
  ) as TerraformJson;
}
