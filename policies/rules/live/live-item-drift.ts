import type { LiveItemRule, LiveItemSubject } from '../../engine/live-item-rule.js';
import type { LiveReport } from '../../engine/live-rule.js';
import { type Declaration, startsWith } from '../../engine/stack-index.js';
import { definitionDrift } from '../../model/definition-drift.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { LiveItem } from '../../model/live-items-reader.js';

export const liveItemDrift: LiveItemRule = {
  id: 'live-item-drift',
  title: 'A workspace, eventhouse or eventstream is as it is declared.',
  why: 'It was changed by hand. No plan shows changed units or definitions, because the official provider does not compare them.',
  severity: 'warning',
  source:
    'Items rules, "Get eventhouse" and "Get eventstream definition"; the official provider (fabric) never refreshes definition and configuration',
  messages: {
    differs: '{property} is {actual} in the service, declared is {declared}',
    definition: '{given} of the definition {reason}',
  },
  async check(subject, report) {
    const { declaration, item } = subject;
    if (item === undefined) return;
    const { value, unknownPaths } = declaration;
    const isUnknown = (property: string): boolean =>
      unknownPaths.some(([first]) => first === property);
    const compare = (property: 'displayName' | 'description', declared: string): void => {
      // undefined if the service omitted it
      const actual = item[property];
      if (actual === undefined || actual === declared || isUnknown(property)) return;
      report({
        messageId: 'differs',
        path: [property],
        parameters: { property, actual: valueText(actual), declared: valueText(declared) },
      });
    };
    compare('displayName', value.displayName);
    // an apply writes an empty description if none is declared
    compare('description', value.description ?? '');
    if (declaration.section === 'eventhouses')
      comparePropertiesReadElsewhere(declaration, item, report);
    if (declaration.section !== 'workspaces')
      await compareDefinitions(declaration, subject, report);
  },
};

/**
 * Properties that the service returns in another place than requests have them: no plan compares
 * them.
 */
function comparePropertiesReadElsewhere(
  declaration: Declaration<'eventhouses'>,
  item: LiveItem,
  report: (report: LiveReport) => void,
): void {
  const value = declaration.value as Readonly<Record<string, unknown>>;
  for (const [property, schema] of Object.entries(eventhouse.properties)) {
    const { readAs, api = property, conflictsWith = '' } = metadataOf(schema);
    const actual = readAs === undefined ? undefined : valueAtPath(item, readAs.split('.'));
    // the API's own path may be declared, too
    const path =
      value[property] === undefined && valueAtPath(value, api.split('.')) !== undefined
        ? api.split('.')
        : [property];
    // the other property may set it
    const declared =
      valueAtPath(value, path) ??
      (value[conflictsWith] === undefined ? (schema.default as unknown) : undefined);
    if (actual === undefined || declared === undefined || actual === declared) continue;
    if (
      declaration.unknownPaths.some(
        (unknown) => startsWith(unknown, path) || startsWith(path, unknown),
      )
    )
      continue;
    report({
      messageId: 'differs',
      path,
      parameters: { property, actual: String(actual), declared: String(declared) },
    });
  }
}

async function compareDefinitions(
  declaration: Declaration<'eventhouses'> | Declaration<'eventstreams'>,
  { definition, readFile }: LiveItemSubject,
  report: (report: LiveReport) => void,
): Promise<void> {
  const { value } = declaration;
  const hasStreamSettings = 'retentionTimeInDays' in value || 'eventThroughputLevel' in value;
  if (value.definition === undefined && !hasStreamSettings) return;
  const live = await definition();
  if (live === undefined)
    return report({
      messageId: 'unknown',
      path: ['definition'],
      unknownBecause: 'the caller may not read the definition',
    });
  for (const { path, where, reason } of definitionDrift(value, live, readFile, declaration.name))
    report({ messageId: 'definition', path, parameters: { given: where, reason } });
}

function valueText(value: string): string {
  return value === '' ? 'not set' : `"${value}"`;
}
