import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import {
  placesWhere,
  placeTree,
  type PlaceTree,
  type SchemaNode,
  visitPlaces,
} from '../../engine/schema-paths.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';

let secretPlaces: PlaceTree | undefined;

export const appSecretReferences = defineRule({
  id: 'app-secret-references',
  title: 'A secret that an app refers to is declared among its secrets.',
  why: 'The hosting service refuses the app; the official provider plans a reference to a secret that does not exist.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  reads: ['secrets'],
  messages: {
    missing: 'the app has no secret "{given}"{hint}',
    alias:
      'a secret says where it comes from, not which other secret it is: write ${env:NAME} or keyvault:URL',
  },
  check({ value, unknownPaths }, context) {
    secretPlaces ??= placeTree(
      placesWhere(
        containerApp.schema as unknown as SchemaNode,
        (schema) => schema['x-secret'] === true || schema['x-references']?.[0] === 'secrets',
      ),
    );
    visitPlaces(value, secretPlaces, (text, path, schema) => {
      if (typeof text !== 'string') return;
      if (unknownPaths.some((unknownPath) => unknownPath.join('.') === path.join('.')))
        return context.unknown(path);
      const name = schema['x-secret'] === true ? /^secret:(.+)$/.exec(text)?.[1] : text;
      if (path[0] === 'secrets' && name !== undefined)
        return context.report({ messageId: 'alias', path, parameters: { given: text } });
      if (name === undefined || Object.hasOwn(value.secrets ?? {}, name)) return;
      const hint = didYouMean(
        nearest(name, Object.keys(value.secrets ?? {})),
        '; declare one of this name',
      );
      context.report({ messageId: 'missing', path, parameters: { given: name, hint } });
    });
  },
});
