import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { propertyValue } from '../rules/declaration/schema-rules.js';
import { makeUnknownFinding } from '../engine/finding-maker.js';
import { startsWith } from '../engine/stack-index.js';
import { schemaAt, type SchemaNode } from '../engine/schema-paths.js';
import { valueAt } from '../engine/schema-validation.js';
import { stackSchema } from '../../kinds/stack/schema.js';

/**
 * An `unknown` finding for every value with an unset variable that no rule has reported: the value
 * would be missing at `castellan up`.
 */
export function unsetVariableFindings(
  stack: LoadedStack,
  unsetPaths: readonly ConfigPath[],
  findings: readonly Finding[],
): readonly Finding[] {
  if (unsetPaths.length === 0) return [];
  const reportedPaths = findings.flatMap(({ verdict, path }) =>
    verdict === 'unknown' && path !== undefined ? [path] : [],
  );
  return unsetPaths
    .filter((path) => !reportedPaths.some((each) => startsWith(each, path)))
    .map((path) => {
      const subject = { path: path.slice(0, 2), origin: {} };
      const report = { path: path.slice(2), value: valueAt(stack.config, path) };
      const finding =
        path.length > 2
          ? makeUnknownFinding(propertyValue, report, subject, stack.locate)
          : makeUnknownFinding(
              propertyValue,
              { path, value: report.value },
              { path: [], origin: {} },
              stack.locate,
            );
      return isSecret(path)
        ? { ...finding, parameters: { ...finding.parameters, secret: true } }
        : finding;
    });
}

function isSecret(path: ConfigPath): boolean {
  return schemaAt(stackSchema as unknown as SchemaNode, path)?.['x-secret'] === true;
}
