import type { DirectoryModule } from './kernel/directory.js';

/** The parts of the directory, in the order in which seed lists are applied. */
export const modules: readonly DirectoryModule[] = [];
