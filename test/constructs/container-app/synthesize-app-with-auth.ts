import {
  ContainerApp,
  type AuthSettings,
  type CastellanStack,
  type CastellanStackProps,
  Secret,
} from '../../../constructs/index.js';
import { synthesized, westEurope } from '../support/synthesized.js';

/** Synthesizes a stack with an app behind sign-in. */
export function synthesizeAppWithAuth(
  auth: (stack: CastellanStack) => AuthSettings,
  props: CastellanStackProps = westEurope,
) {
  const secrets = { apple: Secret.fromEnvironment('APPLE') };
  return synthesized((stack) => {
    new ContainerApp(stack, 'web', {
      image: 'nginx:1',
      targetPort: 80,
      ingress: { external: true },
      secrets,
      auth: auth(stack),
    });
  }, props);
}

/** The settings of the sign-in layer as they go to the cloud. */
export const bodyOf = (auth: AuthSettings) => {
  const body = synthesizeAppWithAuth(() => auth).resource['azapi_resource']?.['web']?.['body'] as {
    properties: Record<string, Record<string, unknown>>;
  };
  return body.properties;
};
