import { directoryConfig, type SidecarUnderTest, startUnderTest } from './harness.js';
import { TestIdentityProvider } from './identity-provider.js';
import { type RecordingApp, startRecordingApp } from './recording-app.js';

/**
 * Two sidecars in front of one recording app: `permissive` lets everybody pass; without a sign-in,
 * `restricted` lets requests pass to its excluded paths only.
 */
export class SidecarPair {
  readonly idp = new TestIdentityProvider();
  app!: RecordingApp;
  permissive!: SidecarUnderTest;
  restricted!: SidecarUnderTest;

  /** For `beforeAll`. */
  async start(): Promise<void> {
    await this.idp.start();
    this.app = await startRecordingApp();
    const excludedPaths = ['/public', '/health/live', '/'];
    this.permissive = await startUnderTest({
      config: directoryConfig(this.idp, {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
      }),
      upstream: this.app.url,
    });
    this.restricted = await startUnderTest({
      config: directoryConfig(this.idp, {
        globalValidation: { unauthenticatedClientAction: 'Return401', excludedPaths },
      }),
      upstream: this.app.url,
    });
  }

  /** For `afterAll`. */
  async stop(): Promise<void> {
    await this.permissive.stop();
    await this.restricted.stop();
    await this.app.close();
    await this.idp.close();
  }

  /** The `Host` header of requests to `permissive`. */
  get host(): string {
    return new URL(this.permissive.url).host;
  }
}
