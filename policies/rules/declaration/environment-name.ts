import { containerAppEnvironment } from '../../../kinds/container-app/environment.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { defineRule } from '../../engine/rule.js';

export const environmentName = defineRule({
  id: 'environment-name',
  title:
    'The name of an environment has 2 to 60 letters, digits and inner hyphens, and begins with a letter.',
  why: 'Without a name, the key is the name; the official provider refuses it at plan.',
  severity: 'error',
  source: "the official provider's own pattern",
  sections: ['environments'],
  reportsSchemaMistakesOf: ['name'],
  reads: ['name'],
  messages: {
    pattern:
      'the name "{given}" is not allowed: use letters, digits and inner hyphens, beginning with a letter',
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
    minLength: 'the name has {length} character; at least {limit} are needed',
    fromKey:
      '"{given}" can\'t serve as the name of the environment (2 to 60 letters, digits and inner hyphens): declare name',
  },
  check({ name, value, origin }, context) {
    // a resource that only the plan has is under no key of the configuration
    const { terraformAddress, constructPath } = origin;
    const hasKey = terraformAddress === undefined || constructPath !== undefined;
    if (!hasKey || value.name !== undefined) return;
    if (mistakeIn(containerAppEnvironment.properties.name, name) === undefined) return;
    context.report({ messageId: 'fromKey', path: ['name'], parameters: { given: name } });
  },
});
