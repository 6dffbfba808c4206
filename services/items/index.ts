export { createItemsService } from './service.js';
export { readItemDefinitions } from './item/definition-store.js';
