import type { LiveAppsReader, LiveRegistration } from '../../policies/model/live-apps-reader.js';

/**
 * Apps by name with the `properties` of their sign-in settings, and registrations; `hidden` means
 * that the caller may not read them.
 */
export interface FakeApps {
  readonly apps?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | 'hidden';
  readonly registrations?: readonly Omit<LiveRegistration, 'id'>[] | 'hidden';
}

/** A reader of the given apps and registrations. */
export function fakeApps({ apps = {}, registrations = [] }: FakeApps): LiveAppsReader {
  return {
    apps: () =>
      Promise.resolve(
        apps === 'hidden'
          ? undefined
          : Object.keys(apps).map((name) => ({ id: `/apps/${name}`, name })),
      ),
    auth: (id) => Promise.resolve(apps === 'hidden' ? undefined : apps[id.slice('/apps/'.length)]),
    registrations: (name) =>
      Promise.resolve(
        registrations === 'hidden'
          ? undefined
          : registrations
              .map((each, index) => ({ ...each, id: String(index) }))
              .filter(
                (each) => (each as Readonly<Record<string, unknown>>)['displayName'] === name,
              ),
      ),
  };
}
