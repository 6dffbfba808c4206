export * from './common/index.js';
export { createDirectoryClient, quoted } from './directory/index.js';
export type { DirectoryClient, DirectoryClientOptions } from './directory/index.js';
