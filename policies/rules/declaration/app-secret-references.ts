import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import {
  placesWhere,
  placeTree,
  type PlaceTree,
  type SchemaNode,
  visitPlaces,
} from '../../engine/schema-paths.js';
import type { TSchema } from '@sinclair/typebox';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import {
  containerApp,
  type ContainerAppProps,
  registrySecretName,
} from '../../../kinds/container-app/container-app.js';
import { secretNameOf } from '../../../kinds/schema/secret.js';

let secretPlaceTree: PlaceTree | undefined;

export const appSecretReferences = defineRule({
  id: 'app-secret-references',
  title: 'A secret that an app refers to is declared among its secrets, and each has its own name.',
  why: 'The hosting service refuses the app; the official provider plans a reference to a secret that does not exist.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  reads: ['secrets'],
  messages: {
    missing: 'the app has no secret "{given}"{hint}',
    taken:
      'the app stores it as the secret "{given}", under which it stores {other} already: rename one of them',
    alias:
      'a secret says where it comes from, not which other secret it is: write ${env:NAME} or keyvault:URL',
  },
  check({ value, unknownPaths }, context) {
    secretPlaceTree ??= placeTree(
      placesWhere(
        containerApp.schema as unknown as SchemaNode,
        (schema) => schema['x-secret'] === true || schema['x-references']?.[0] === 'secrets',
      ),
    );
    const sources = new Map(
      Object.entries(value.secrets ?? {}).map(([name, source]) => [name, { name, source }]),
    );
    /** Records under which name the app stores a secret; reports another secret of that name. */
    const recordSecret = (name: string, source: string, path: ConfigPath): void => {
      const other = sources.get(name);
      if (other === undefined) sources.set(name, { name: path.join('.'), source });
      else if (other.source !== source)
        context.report({
          messageId: 'taken',
          path,
          parameters: { given: name, other: other.name },
        });
    };
    visitPlaces(value, secretPlaceTree, (text, path, schema) => {
      if (typeof text !== 'string') return;
      if (unknownPaths.some((unknownPath) => unknownPath.join('.') === path.join('.')))
        return context.unknown(path);
      const name = schema['x-secret'] === true ? /^secret:(.+)$/.exec(text)?.[1] : text;
      if (path[0] === 'secrets' && name !== undefined)
        return context.report({ messageId: 'alias', path, parameters: { given: text } });
      if (name === undefined && path[0] !== 'secrets')
        recordSecret(storedName(value, schema, path), text, [...path]);
      if (name === undefined || Object.hasOwn(value.secrets ?? {}, name)) return;
      const hint = didYouMean(
        nearest(name, Object.keys(value.secrets ?? {})),
        '; declare one of this name',
      );
      context.report({ messageId: 'missing', path, parameters: { given: name, hint } });
    });
    const { registration, clientSecret, clientSecretCertificate } =
      value.auth?.providers?.directory ?? {};
    if (registration !== undefined && clientSecret === undefined && !clientSecretCertificate)
      recordSecret('directory-client-secret', 'the secret of the registration', registrationPath);
  },
});

const registrationPath = ['auth', 'providers', 'directory', 'registration'];

/** The name under which an app stores the secret at a path. */
function storedName(app: ContainerAppProps, schema: SchemaNode, path: ConfigPath): string {
  const [section, index] = path;
  return section === 'registries'
    ? registrySecretName(String(app.registries?.[Number(index)]?.server))
    : secretNameOf(schema as TSchema, path);
}
