import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { jsonExpression } from '../internal/json-expression.js';
import { onSynthesis } from '../internal/castellan-construct.js';
import type { Attributes } from '../internal/plain-resource.js';

/** The one file that all definitions are read from; it is beside the synthesized stack. */
const fileName = 'definition.tmpl';
const content = '{{ .Definition }}';

/**
 * A document as a part of a definition. The provider reads parts from files and fills tokens in without looking at their text, so one
 * constant file serves all: braces and angle brackets of the user survive, a change shows in the plan key by key, and no file can be
 * stale.
 */
export function documentPart(scope: Construct, document: unknown): Attributes {
  const stack = TerraformStack.of(scope);
  onSynthesis(stack, fileName, ({ outdir, manifest }) => {
    writeFileSync(join(outdir, manifest.forStack(stack).workingDirectory, fileName), content);
  });
  return { source: `\${path.module}/${fileName}`, tokens: { Definition: jsonExpression(document) } };
}
