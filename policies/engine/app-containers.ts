import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { SectionProps } from './stack-index.js';

type App = SectionProps['containerApps'];
type Container = Pick<App, 'image' | 'cpu' | 'memory' | 'env' | 'probes'>;

/** The containers of an app with their paths in its declaration, its own first. */
export function containersOf(
  app: App,
): readonly { readonly container: Partial<Container>; readonly path: ConfigPath }[] {
  const additionalContainers = Object.entries(
    isObject(app.containers) ? app.containers : {},
  ).flatMap(([name, container]) =>
    isObject(container)
      ? [{ container: container as Partial<Container>, path: ['containers', name] }]
      : [],
  );
  return [{ container: app, path: [] }, ...additionalContainers];
}
