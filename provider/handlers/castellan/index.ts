import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { groupLifecyclePolicy } from './group-lifecycle-policy.js';
import { groupProperties } from './group-properties.js';
import { groupSettings } from './group-settings.js';
import { eventhouse, eventstream } from './item.js';

/** The resource types of castellan's own provider. */
export const resources: Readonly<Record<string, ResourceHandler>> = {
  castellan_group_properties: groupProperties,
  castellan_group_settings: groupSettings,
  castellan_group_lifecycle_policy: groupLifecyclePolicy,
  castellan_eventhouse: eventhouse,
  castellan_eventstream: eventstream,
};

/** Its data sources: none so far. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {};
