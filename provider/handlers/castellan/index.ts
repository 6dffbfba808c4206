import { findItem, withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { findGroupLifecyclePolicy, groupLifecyclePolicy } from './group-lifecycle-policy.js';
import { groupProperties } from './group-properties.js';
import { findGroupSettings, groupSettings } from './group-settings.js';
import { eventhouse, eventstream } from './item.js';

/** The resource types of castellan's own provider. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    castellan_group_properties: groupProperties,
    castellan_group_settings: groupSettings,
    castellan_group_lifecycle_policy: groupLifecyclePolicy,
    castellan_eventhouse: eventhouse,
    castellan_eventstream: eventstream,
  },
  // group properties change an object rather than make one: they need no finder
  {
    castellan_group_settings: findGroupSettings,
    castellan_group_lifecycle_policy: findGroupLifecyclePolicy,
    castellan_eventhouse: findItem('Eventhouse'),
    castellan_eventstream: findItem('Eventstream'),
  },
);

/** Its data sources: none so far. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {};
