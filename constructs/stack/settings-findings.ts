import type { Finding } from '../../core/findings/finding.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { locationFindings } from '../../policies/check/stack-settings.js';
import { effectiveValue } from '../../policies/engine/effective-value.js';
import type { Rule } from '../../policies/engine/rule.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { settingFindings } from '../../policies/rules/declaration/schema-findings.js';
import { locationUnknown } from '../../policies/rules/stack/location-unknown.js';
import { isUnknown } from '../internal/check-construct.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { creationLocationOf } from '../internal/recorded-creation.js';
import { declaredBackend } from './backend-choice.js';

/**
 * The findings about the cloud settings and the backend of a stack, which castellan.yaml says
 * outside of its declarations. None for a scope that is only a part of a stack.
 */
export function settingsFindings(
  scope: Construct,
  { azure }: Partial<StackConfig>,
  rules: readonly Rule[],
): readonly Finding[] {
  if (!TerraformStack.isStack(scope)) return [];
  const location = creationLocationOf(scope);
  const origin = { constructPath: scope.node.path, ...omitUndefined({ location }) };
  const settings = { azure, backend: declaredBackend(scope) };
  const schemaFindings = (['azure', 'backend'] as const).flatMap((setting) => {
    const schema = stackSchema.properties[setting] as unknown as SchemaNode;
    const { value, unknownPaths } = effectiveValue(settings[setting], schema, {
      env: {},
      isUnknown,
    });
    return settingFindings(setting, { value, unknownPaths, origin }, rules, () => undefined);
  });
  return rules.includes(locationUnknown)
    ? [
        ...schemaFindings,
        ...locationFindings(azure?.location, { path: [], origin }, () => undefined),
      ]
    : schemaFindings;
}
