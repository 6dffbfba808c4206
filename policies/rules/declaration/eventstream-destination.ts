import { didYouMean } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import { isGuid } from '../../../core/values/guid.js';

export const eventstreamDestination = defineRule({
  id: 'eventstream-destination',
  title: 'The eventhouse that an eventstream writes to is declared, or given by its id.',
  why: 'Events would be lost.',
  severity: 'error',
  source: 'Items rules, "Definition" (eventstream.json); references by name',
  sections: ['eventstreams'],
  scope: 'stack',
  reads: ['definition'],
  messages: { missing: 'there is no eventhouse "{given}"{hint}' },
  check({ value }, context) {
    if (!Array.isArray(value.definition?.destinations)) return;
    value.definition.destinations.forEach(
      (node: { readonly eventhouse?: unknown } | null, index: number) => {
        const name = node?.eventhouse;
        if (
          typeof name !== 'string' ||
          isGuid(name) ||
          name.includes('${') ||
          context.index.has('eventhouses', name)
        )
          return;
        const suggestion = context.index.nearestName(name, ['eventhouses']);
        context.report({
          messageId: 'missing',
          path: ['definition', 'destinations', index, 'eventhouse'],
          parameters: { hint: didYouMean(suggestion) },
          fix: suggestion === undefined ? undefined : { value: suggestion },
        });
      },
    );
  },
});
