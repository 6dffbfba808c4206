import {
  type SidecarUnderTest,
  startUnderTest,
} from '../../services/auth-sidecar/support/harness.js';
import { startRecordingApp } from '../../services/auth-sidecar/support/recording-app.js';
import { type RunningDirectory, startDirectory } from './applied.js';
import { anySecret, startIdentityProvider } from './identity-provider.js';

/** A real sign-in layer before an app, over a real identity provider and directory. */
export interface SignInLayer {
  readonly directory: RunningDirectory;
  readonly sidecar: SidecarUnderTest;
  stop(): Promise<void>;
}

/** Starts a sign-in layer on free ports. The tests write its settings. */
export async function startSignInLayer(): Promise<SignInLayer> {
  const [identityProvider, upstream, directory] = await Promise.all([
    startIdentityProvider(),
    startRecordingApp(),
    startDirectory(),
  ]);
  identityProvider.setDirectory(directory.app);
  const sidecar = await startUnderTest({
    config: {},
    upstream: upstream.url,
    endpoints: { azureActiveDirectory: { issuer: identityProvider.issuer } },
    secrets: { 'directory-secret': anySecret, 'codehost-secret': anySecret },
  });
  return {
    directory,
    sidecar,
    async stop() {
      await sidecar.stop();
      await directory.close();
      await upstream.close();
      await identityProvider.close();
    },
  };
}
