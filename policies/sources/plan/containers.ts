import type { ConfigPath } from '../../../core/yaml/layers.js';
import { containerMappings } from './kinds/container-app.js';
import type { Attributes } from './mapping.js';
import { at, declaredBy } from './mapping.js';

/** A container beside the first one, which castellan.yaml has no word for: it is judged like an app that has only this one. */
export interface FurtherContainer {
  readonly place: 'containers' | 'initContainers';
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly unknownPaths: readonly ConfigPath[];
}

/** A secret that a scale rule names. */
export interface ScaleRuleSecret {
  readonly rule: string;
  readonly secret: string;
}

/** What an app declares besides what castellan.yaml has words for. */
export interface AppParts {
  readonly containers: readonly FurtherContainer[];
  readonly scaleRuleSecrets: readonly ScaleRuleSecret[];
}

const scaleRules = ['azure_queue_scale_rule', 'custom_scale_rule', 'http_scale_rule', 'tcp_scale_rule'];

/** The further containers of an app, and the secrets of its scale rules. */
export function appPartsOf(attributes: Attributes): AppParts {
  const { after } = attributes;
  const containers = [
    ...containersAt('containers', 'container', 1, attributes),
    ...containersAt('initContainers', 'init_container', 0, attributes),
  ];
  const scaleRuleSecrets = scaleRules.flatMap((block) =>
    listAt(after, ['template', 0, block]).flatMap((rule) =>
      listAt(rule, ['authentication']).flatMap((authentication) => {
        const secret = at(authentication, ['secret_name']);
        return typeof secret === 'string' && secret !== '' ? [{ rule: String(at(rule, ['name']) ?? block), secret }] : [];
      }),
    ),
  );
  return { containers, scaleRuleSecrets };
}

function containersAt(place: FurtherContainer['place'], block: string, from: number, attributes: Attributes): readonly FurtherContainer[] {
  return listAt(attributes.after, ['template', 0, block]).flatMap((container, index) => {
    if (index < from) return [];
    const name = at(container, ['name']);
    const declared = declaredBy(containerMappings(`template.0.${block}.${String(index)}`), attributes);
    return [{ place, name: typeof name === 'string' ? name : String(index), ...declared }];
  });
}

function listAt(value: unknown, path: ConfigPath): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}
