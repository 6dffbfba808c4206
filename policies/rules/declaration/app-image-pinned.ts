import { containersOf } from '../../engine/app-containers.js';
import { defineRule } from '../../engine/rule.js';

export const appImagePinned = defineRule({
  id: 'app-image-pinned',
  title: 'An image has a tag other than latest, or a digest.',
  why: 'The same configuration can run another image tomorrow, and no plan shows it.',
  severity: 'warning',
  source: 'the plan shows no change of an image behind a moving tag',
  sections: ['containerApps'],
  reads: ['image', 'containers.*.image'],
  messages: { moving: 'the image "{given}" {what}: name a version or a digest' },
  check({ value }, context) {
    for (const { container, path } of containersOf(value)) {
      const { image } = container;
      if (typeof image !== 'string' || image.includes('@sha256:') || image.includes('${')) continue;
      const tag = /:([^/:]+)$/.exec(image)?.[1];
      if (tag !== undefined && tag !== 'latest') continue;
      context.report({
        messageId: 'moving',
        path: [...path, 'image'],
        parameters: { what: tag === undefined ? 'has no tag' : 'moves with every release' },
      });
    }
  },
});
