import type { ServiceFactory } from '../common/service.js';
import { createModules } from './modules.js';
import { DirectoryService } from './service.js';

/**
 * The directory service: groups, users, devices, applications and related objects, under `/v1.0`
 * and `/beta`.
 */
export const createDirectoryService: ServiceFactory = (context) =>
  DirectoryService.start(context, createModules());
