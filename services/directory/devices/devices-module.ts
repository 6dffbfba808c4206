import { randomUUID } from 'node:crypto';
import { readAccessOf } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import { seedObject } from '../kernel/seeding.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import type { DirectoryRequest } from '../http/request.js';
import { mergeProperties, requireProperties } from '../kernel/body-properties.js';
import type { Body } from '../store/objects.js';
import { deviceType } from './device-type.js';
import { formatInstant } from '../kernel/presentation.js';
import { requireUnique } from '../kernel/single-object.js';

const read = readAccessOf(deviceType);

/** Devices: found by id, and by `deviceId` as an alternate key. */
export const devicesModule: DirectoryModule = {
  types: [deviceType],
  routes(router) {
    addStandardOperations(router, {
      type: deviceType,
      deltaRelations: ['registeredOwners', 'registeredUsers'],
      read: { ...read, allowsGuests: false },
      readOne: read,
      create: async (request, values) => {
        requireProperties(deviceType, values, [
          'displayName',
          'operatingSystem',
          'operatingSystemVersion',
          'deviceId',
        ]);
        await requireUniqueDeviceId(request, values);
        const registrationDateTime = formatInstant(request.directory.clock.now());
        return {
          id: randomUUID(),
          body: { accountEnabled: true, registrationDateTime, ...values },
        };
      },
      change: async (request, current, values) => {
        await requireUniqueDeviceId(request, values, current.id);
        return mergeProperties(current.body, values, ['extensionAttributes']);
      },
    });
  },
  async seed(directory, { devices = [] }) {
    for (const entry of devices)
      await seedObject(directory, deviceType, entry, {
        list: 'devices',
        withDefaults: withSeedDefaults,
      });
  },
};

function requireUniqueDeviceId(
  { directory }: Pick<DirectoryRequest, 'directory'>,
  { deviceId }: Body,
  ownId?: string,
): Promise<void> {
  return requireUnique(directory, 'device', 'alternate_key', 'deviceId', deviceId, ownId);
}

function withSeedDefaults(values: Body, id: string): Body {
  return { accountEnabled: true, deviceId: id, displayName: id, ...values };
}
