export { createItemsService } from './service.js';
export { readDefinitions } from './item/definition-store.js';
