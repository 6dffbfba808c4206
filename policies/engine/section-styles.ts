import type { NodeCategory } from '../../core/graph/graph.js';
import type { Section } from '../../kinds/stack/schema.js';

/** The appearance of a section's declarations in diagrams. */
export const sectionStyles: Readonly<
  Record<
    Section,
    { readonly heading: string; readonly type: string; readonly category: NodeCategory }
  >
> = {
  principals: { heading: 'Principals', type: 'principal', category: 'person' },
  registrations: { heading: 'Registrations', type: 'registration', category: 'credential' },
  environments: { heading: 'Environments', type: 'environment', category: 'place' },
  containerApps: { heading: 'Container apps', type: 'container app', category: 'app' },
  groups: { heading: 'Groups', type: 'security group', category: 'group' },
  workspaces: { heading: 'Workspaces', type: 'workspace', category: 'place' },
  eventhouses: { heading: 'Eventhouses', type: 'eventhouse', category: 'store' },
  eventstreams: { heading: 'Eventstreams', type: 'eventstream', category: 'stream' },
};
