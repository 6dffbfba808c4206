import type { Finder } from '../finders.js';
import { findItem, findWorkspace } from '../item-finders.js';

/** How what fabric made is found again. */
export const finders: Readonly<Record<string, Finder>> = {
  fabric_workspace: findWorkspace,
  fabric_eventhouse: findItem('Eventhouse'),
  fabric_eventstream: findItem('Eventstream'),
  fabric_kql_database: findItem('KQLDatabase'),
};
