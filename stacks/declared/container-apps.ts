import type { AuthSettings } from '../../constructs/container-app/auth-settings.js';
import {
  ContainerApp,
  type ContainerAppProps,
} from '../../constructs/container-app/container-app.js';
import { ContainerAppEnvironment } from '../../constructs/container-app/environment.js';
import { mapRequiredGroups } from '../../kinds/auth/requirements.js';
import { mapDirectoryProvider } from '../../kinds/auth/resolved-auth.js';
import type { Declared, StackBuilder } from './stack-builder.js';
import type { DirectoryObjects } from './directory-objects.js';

type Auth = NonNullable<Declared<'containerApps'>['auth']>;

/** Creates the environments and container apps of a stack. */
export function declareContainerApps(stack: StackBuilder, directory: DirectoryObjects): void {
  const environments = stack.section(
    'environments',
    (scope, name, props) => new ContainerAppEnvironment(scope, name, props),
  );
  const apps = stack.section('containerApps', (scope, name, { auth, environment, ...props }) => {
    const usedBy = `containerApps.${name}`;
    return new ContainerApp(scope, name, {
      ...props,
      environment: environment === undefined ? undefined : environments.get(environment, usedBy),
      auth: auth === undefined ? undefined : authSettings(auth, directory, usedBy),
      // the cast: secrets are strings here, and the props also allow objects
    } as ContainerAppProps);
  });
  environments.createAll();
  apps.createAll();
}

/** The auth settings of an app, with constructs in place of the names of what they refer to. */
function authSettings(auth: Auth, directory: DirectoryObjects, usedBy: string): AuthSettings {
  const resolveGroups = (names: readonly string[] | undefined) =>
    names?.map((each) => directory.groupOrExistingPrincipal(each, usedBy));
  const { requirements, providers } = auth;
  // a custom provider has groups of its own, which no stack declares
  const hasCustomProvider = providers.openIdConnect !== undefined;
  const resolvedRequirements = mapRequiredGroups(requirements, (name: string) =>
    hasCustomProvider && !directory.has(name)
      ? name
      : directory.groupOrExistingPrincipal(name, usedBy),
  );
  return mapDirectoryProvider(
    { ...auth, requirements: resolvedRequirements },
    ({ registration, allowedGroups, allowedPrincipals, claimGroups, ...provider }) => ({
      ...provider,
      registration:
        registration === undefined ? undefined : directory.registrations.get(registration, usedBy),
      allowedGroups: resolveGroups(allowedGroups),
      allowedPrincipals: allowedPrincipals?.map((each) =>
        directory.existingPrincipal(each, usedBy),
      ),
      claimGroups: resolveGroups(claimGroups),
    }),
    // the cast: secrets are strings here, and the props also allow objects
  ) as AuthSettings;
}
