export { createBillingService } from './service.js';
