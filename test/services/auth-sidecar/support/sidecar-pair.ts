import { directoryConfig, type SidecarUnderTest, startUnderTest } from './harness.js';
import { TestIdentityProvider } from './identity-provider.js';
import { type RecordingApp, startRecordingApp } from './recording-app.js';

/**
 * Two sidecars in front of one recording app: `open` lets everybody pass, `closed` without a sign-in
 * only to its excluded paths.
 */
export class SidecarPair {
  readonly idp = new TestIdentityProvider();
  app!: RecordingApp;
  open!: SidecarUnderTest;
  closed!: SidecarUnderTest;

  /** For `beforeAll`. */
  async start(): Promise<void> {
    await this.idp.start();
    this.app = await startRecordingApp();
    const excludedPaths = ['/public', '/health/live', '/'];
    this.open = await startUnderTest({
      config: directoryConfig(this.idp, {
        globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
      }),
      upstream: this.app.url,
    });
    this.closed = await startUnderTest({
      config: directoryConfig(this.idp, {
        globalValidation: { unauthenticatedClientAction: 'Return401', excludedPaths },
      }),
      upstream: this.app.url,
    });
  }

  /** For `afterAll`. */
  async stop(): Promise<void> {
    await this.open.stop();
    await this.closed.stop();
    await this.app.close();
    await this.idp.close();
  }

  /** The `Host` header of requests to `open`. */
  get host(): string {
    return new URL(this.open.listening).host;
  }
}
