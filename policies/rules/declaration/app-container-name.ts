import { defineRule } from '../../engine/rule.js';

export const appContainerName = defineRule({
  id: 'app-container-name',
  title: "No container beside the app's own has the name of the app.",
  why: "The app's own container has the app's name: the hosting service refuses a second one.",
  severity: 'error',
  source: 'the hosting service: names of containers are unique in an app',
  sections: ['containerApps'],
  whenDeclared: 'containers',
  reads: ['name'],
  messages: {
    taken: 'the app\'s own container has the name "{name}" already: give this one another',
  },
  check({ name: declared, value }, context) {
    const { name = declared, containers } = value;
    if (Object.hasOwn(containers ?? {}, name))
      context.report({
        messageId: 'taken',
        path: ['containers', name],
        at: 'key',
        parameters: { name },
      });
  },
});
