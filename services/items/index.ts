export { createItemsService } from './service.js';
