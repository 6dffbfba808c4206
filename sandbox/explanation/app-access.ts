import { emptyDirectory } from '../../access/directory/from-seed.js';
import { type DirectoryGet, readPerson } from '../../access/directory/read-person.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import { appWithAuth } from '../../access/stack/applied-apps.js';
import type { AppAccess } from '../../access/stack/apps.js';
import type { SignInTarget } from '../identity-provider/refusals.js';

/** An id that no object has. */
const unusedId = '00000000-0000-4000-8000-000000000000';

/** Who may reach an app, by its applied sign-in setting. */
export function appAccessOf(app: SignInTarget, directory: DirectorySnapshot): AppAccess {
  return appWithAuth(
    { stack: '', name: app.name, reach: 'everywhere' },
    app.auth && { properties: app.auth },
    { directory, config: {} },
  );
}

/**
 * Reads from the directory what decides about an app: its groups, its registration, and a person.
 *
 * @param person the id or user principal name. @default no person is read
 */
export async function readDirectorySnapshot(
  app: SignInTarget,
  { readDirectory, tenantId }: { readonly readDirectory: DirectoryGet; readonly tenantId: string },
  person = unusedId,
): Promise<DirectorySnapshot> {
  const { directorySignIn, settings } = appAccessOf(app, emptyDirectory);
  const { groups = [], claimGroups = [] } = directorySignIn?.settings.policy ?? {};
  const requiredGroups = (settings?.requirements ?? []).flatMap((each) => each.groups ?? []);
  return readPerson(readDirectory, {
    person,
    groups: [...groups, ...claimGroups, ...requiredGroups].map((id) => id.toLowerCase()),
    clientId: directorySignIn?.settings.clientId ?? unusedId,
    tenantId,
  });
}
