import { randomUUID } from 'node:crypto';
import { permit } from '../authorization/access.js';
import { conflict } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { seedObject } from '../kernel/seeding.js';
import { merged, standardOperations } from '../kernel/standard-operations.js';
import { requireProperties } from '../kernel/write-body.js';
import type { Body, StoredObject } from '../store/objects.js';
import { deviceReadPermissions, deviceType, deviceWritePermissions, deviceWriteRoles } from './device-type.js';
import { wholeSeconds } from '../kernel/instant.js';

const read = permit(deviceReadPermissions);
const write = permit(deviceWritePermissions, { roles: deviceWriteRoles });

/** Devices: found by id, and by `deviceId` as an alternate key. */
export const devicesModule: DirectoryModule = {
  types: [deviceType],
  routes(router) {
    standardOperations(router, {
      type: deviceType,
      path: '/devices',
      delta: ['registeredOwners', 'registeredUsers'],
      read: { ...read, guests: false },
      readOne: read,
      write,
      deletable: true,
      find: findDevice,
      create: async (request, values) => {
        requireProperties(deviceType, values, ['displayName', 'operatingSystem', 'operatingSystemVersion', 'deviceId']);
        await checkDeviceId(request, values['deviceId']);
        const registrationDateTime = wholeSeconds(request.directory.clock.now());
        return { id: randomUUID(), body: { accountEnabled: true, registrationDateTime, ...values } };
      },
      change: async (request, current, values) => {
        if (values['deviceId'] !== undefined) await checkDeviceId(request, values['deviceId'], current.id);
        return merged(current.body, values, ['extensionAttributes']);
      },
    });
    for (const relation of ['registeredOwners', 'registeredUsers'] as const)
      referenceOperations(router, {
        path: '/devices',
        type: deviceType,
        name: relation,
        relation,
        read,
        write,
        targets: ['user', 'servicePrincipal'],
      });
  },
  async seed(directory, { devices = [] }) {
    for (const entry of devices) {
      const deviceId = entry['deviceId'];
      await seedObject(directory, deviceType, entry, {
        list: 'devices',
        standing: async () =>
          typeof deviceId === 'string' ? (await directory.objects.findBy('device', 'alternate_key', deviceId))[0] : undefined,
        complete: completed,
      });
    }
  },
};

function completed(values: Body, id: string): Body {
  return { accountEnabled: true, deviceId: id, displayName: id, ...values };
}

async function checkDeviceId({ directory }: DirectoryRequest, deviceId: unknown, ownId?: string): Promise<void> {
  for (const other of await directory.objects.findBy('device', 'alternate_key', String(deviceId)))
    if (other.id !== ownId) throw conflict('deviceId', 'Another object with the same value for property deviceId already exists.');
}

async function findDevice(request: DirectoryRequest): Promise<StoredObject | undefined> {
  const key = request.key('id');
  if (typeof key === 'string') return request.directory.objects.getOfType('device', key);
  return key.property === 'deviceId' ? (await request.directory.objects.findBy('device', 'alternate_key', key.value))[0] : undefined;
}
