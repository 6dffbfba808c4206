import type { DataSourceHandler, ResourceHandler } from '../handler.js';
export const resources: Readonly<Record<string, ResourceHandler>> = {};
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {};
export const functions = {};
