import { containerApp } from '../../../kinds/container-app/container-app.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { defineRule } from '../../engine/rule.js';

export const appName = defineRule({
  id: 'app-name',
  title:
    'The name of an app has 2 to 32 lower-case letters, digits and single hyphens, and begins with a letter.',
  why: 'The hosting service refuses it; the official provider lets some such names through.',
  severity: 'error',
  source: "the hosting service; the official provider's own pattern",
  sections: ['containerApps'],
  reportsSchemaMistakesOf: ['name'],
  reads: ['name', 'revision.suffix'],
  messages: {
    pattern:
      'the name "{given}" is not allowed: use lower-case letters, digits and single hyphens, beginning with a letter',
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
    minLength: 'the name has {length} character; at least {limit} are needed',
    fromKey:
      '"{given}" can\'t serve as the name of the app (2 to 32 lower-case letters, digits and single hyphens): declare name',
    withSuffix:
      'name and suffix of the revision have {length} characters together; at most {limit} are allowed',
  },
  check({ name, value }, context) {
    if (value.name === undefined && mistakeIn(containerApp.properties.name, name) !== undefined)
      context.report({ messageId: 'fromKey', path: ['name'], parameters: { given: name } });
    const { revisionName: limit } = containerApp.limits;
    const suffix: unknown = value.revision?.suffix;
    const length = `${value.name ?? name}${String(suffix)}`.length;
    if (typeof suffix === 'string' && length > limit)
      context.report({
        messageId: 'withSuffix',
        path: ['revision', 'suffix'],
        parameters: { length, limit },
      });
  },
});
