export type { LoadedStack, LoadOptions, LoadResult } from './model/load-config.js';
export { loadConfig } from './model/load-config.js';
export * from './schemas/index.js';
