import type { Application, PeopleAndApplications } from './people.js';

/**
 * The registered application that an access token is for, by its id, by `api://` and its id, or by an address it is at home at. As in the
 * cloud it is this one, not the client that asks, whose registration says which claims about groups the token carries.
 *
 * @returns undefined for the cloud's own interfaces and for unregistered resources
 */
export async function resourceApplication(
  directory: Pick<PeopleAndApplications, 'application' | 'applicationAt'>,
  audience: string,
): Promise<Application | undefined> {
  const id = /^(?:api:\/\/)?([0-9a-f-]{36})\/?$/i.exec(audience)?.[1];
  if (id !== undefined) return directory.application(id);
  if (!/^https?:/.test(audience) || !URL.canParse(audience)) return undefined;
  return directory.applicationAt(new URL(audience).origin);
}
