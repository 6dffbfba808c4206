import type { NodeShape } from '../../core/graph/graph.js';
import type { Section } from '../../kinds/stack/schema.js';

/** The appearance of a section's declarations in diagrams. */
export const sectionStyles: Readonly<
  Record<Section, { readonly heading: string; readonly type: string; readonly shape: NodeShape }>
> = {
  principals: { heading: 'Principals', type: 'principal', shape: 'person' },
  registrations: { heading: 'Registrations', type: 'registration', shape: 'credential' },
  environments: { heading: 'Environments', type: 'environment', shape: 'place' },
  containerApps: { heading: 'Container apps', type: 'container app', shape: 'app' },
  groups: { heading: 'Groups', type: 'security group', shape: 'group' },
  workspaces: { heading: 'Workspaces', type: 'workspace', shape: 'place' },
  eventhouses: { heading: 'Eventhouses', type: 'eventhouse', shape: 'store' },
  eventstreams: { heading: 'Eventstreams', type: 'eventstream', shape: 'stream' },
};
