import { ok, noContent } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { StoredObject } from '../store/objects.js';
import { applicationWrite, checkOwnedBy } from './application-access.js';
import { addSecret, newSecret, removeSecret } from './secrets.js';

/** Adds `addPassword` and `removePassword` of a collection. */
export function secretOperations(router: Router, path: string, find: (request: DirectoryRequest) => Promise<StoredObject>): void {
  router.on('POST', `${path}/{id}/addPassword`, applicationWrite, async (request) => {
    const { directory } = request;
    const secret = newSecret(request.optionalJson()['passwordCredential'], directory.clock.now());
    await directory.sql.write(async () => {
      const object = await find(request);
      await checkOwnedBy(request, object);
      await addSecret(directory, object, secret);
    });
    return ok({ '@odata.context': `${request.base}/$metadata#${directory.namespace}.passwordCredential`, ...secret.shown });
  });
  router.on('POST', `${path}/{id}/removePassword`, applicationWrite, async (request) => {
    const { keyId } = request.json();
    await request.directory.sql.write(async () => {
      const object = await find(request);
      await checkOwnedBy(request, object);
      await removeSecret(request.directory, object, keyId);
    });
    return noContent;
  });
}
