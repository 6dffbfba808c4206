import { emptyDirectory } from '../../access/directory/from-seed.js';
import { type AskDirectory, readPerson } from '../../access/directory/read-person.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import { appWithAuth } from '../../access/stack/applied-apps.js';
import type { AppAccess } from '../../access/stack/apps.js';
import type { SignInTarget } from '../identity-provider/refusals.js';

/** An id that nobody has, for people who don't exist. */
const nobody = '00000000-0000-4000-8000-000000000000';

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
 * @param person the id or user principal name.
 * @default nobody
 */
export async function readAccessModel(
  app: SignInTarget,
  { ask, tenantId }: { readonly ask: AskDirectory; readonly tenantId: string },
  person = nobody,
): Promise<DirectorySnapshot> {
  const { directory, settings } = appAccessOf(app, emptyDirectory);
  const { groups = [], claimGroups = [] } = directory?.settings.policy ?? {};
  const required = (settings?.requirements ?? []).flatMap((each) => each.groups ?? []);
  return readPerson(ask, {
    person,
    groups: [...groups, ...claimGroups, ...required].map((id) => id.toLowerCase()),
    clientId: directory?.settings.clientId ?? nobody,
    tenantId,
  });
}
