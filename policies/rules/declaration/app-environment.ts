import { isOwnEnvironment } from '../../engine/own-environment.js';
import { defineRule } from '../../engine/rule.js';
import { abbreviateList } from '../../../core/text/abbreviated-list.js';
import type { StackIndex } from '../../engine/stack-index.js';

const environmentListOf = new WeakMap<StackIndex, string | undefined>();

export const appEnvironment = defineRule({
  id: 'app-environment',
  title: 'An app names its environment when the stack declares environments.',
  why: 'An app that names none gets a separate environment instead of a declared one.',
  severity: 'info',
  source: 'the constructs: the environment of the stack is made for apps that name none',
  sections: ['containerApps'],
  scope: 'stack',
  reads: ['environment'],
  messages: { none: 'the app names no environment and gets a separate one; declared: {declared}' },
  check({ value }, context) {
    if (value.environment !== undefined) return;
    if (!environmentListOf.has(context.index))
      environmentListOf.set(context.index, describeEnvironments(context.index));
    const names = environmentListOf.get(context.index);
    if (names !== undefined)
      context.report({ messageId: 'none', path: ['environment'], parameters: { declared: names } });
  },
});

/** The names of the declared environments, found once for all apps; undefined if there are none. */
function describeEnvironments(index: StackIndex): string | undefined {
  const names = index
    .all('environments')
    .filter((environment) => !isOwnEnvironment(environment))
    .map(({ name }) => name);
  return names.length === 0 ? undefined : abbreviateList(names);
}
